// One action on many monitors, which core carries out; here are its start, its progress, and its end.
import type { AppClient, BulkRun, BulkTask } from '@rainbell/contract/app-rpc';
import { ConnectionChanged, toFailure } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { failedToast, type NewToast } from '../../../store/toasts-slice.ts';
import { plural } from '@rainbell/shared';

export interface BulkPart extends ReturnType<typeof createBulkPart> {}

const pollEveryMs = 250;

export function createBulkPart(
  { client, read, change }: SliceTools<BulkPart>,
  { onEnd, show }: { onEnd: () => void; show: (toast: NewToast) => void },
) {
  /** Shows the run until it has ended; `former` if it does not begin. */
  const follow = async (begin: () => Promise<{ run: BulkRun | null }>, what: string, former = read().bulk) => {
    let run: BulkRun | null = null;
    let hasStarted = false;
    try {
      ({ run } = await begin());
      hasStarted = true;
      change({ bulk: run });
      while (run?.isRunning) {
        await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
        ({ run } = await client.monitorBulk.state());
        change({ bulk: run });
      }
      if (run && run.failed + run.stopped === 0 && !run.canUndo) await report(run);
    } catch (error) {
      // Core stops the run, and sync-store.ts says so.
      if (hasStarted && error instanceof ConnectionChanged) return;
      const { bulk } = read();
      change({ bulk: bulk && hasStarted ? { ...bulk, isRunning: false } : former });
      show(failedToast(toFailure(error), what));
    }
    onEnd();
  };
  const closeBulk = async (): Promise<void> => {
    change({ bulk: null });
    await client.monitorBulk.close();
  };
  /** Nothing is left to do about it, so it is a message. */
  const report = async ({ title, done }: BulkRun) => {
    show({ tone: 'good', message: plural(done, ['{title}: # done', '{title}: # done'], { title }) });
    await closeBulk();
  };
  const runBulk = async (title: string, tasks: readonly BulkTask[]): Promise<void> => {
    if (tasks.length === 0) return;
    // Shown before core responds, so that a connection selected in the meantime finds a run to report.
    const former = read().bulk;
    change({ bulk: startedRun(title, tasks.length) });
    await follow(() => startInParts(client, title, tasks), `“${title}” failed`, former);
  };
  return {
    bulk: null as BulkRun | null,
    /** Shows the run that goes on in core after a reload, or that a crash interrupted. */
    async resumeBulk(): Promise<void> {
      if (read().bulk !== null) return;
      let run: BulkRun | null;
      try {
        ({ run } = await client.monitorBulk.state());
      } catch {
        // The list reports what is wrong with core.
        return;
      }
      if (run?.isRunning) await follow(async () => ({ run }), 'Couldn’t get the action’s progress');
      else if (run && read().bulk === null) change({ bulk: run });
    },
    runBulk,
    async stopBulk(): Promise<void> {
      await client.monitorBulk.stop();
    },
    /** What failed or was stopped, once more. */
    retryBulk: (): Promise<void> => follow(() => client.monitorBulk.retry(), 'Couldn’t retry the action'),
    undoBulk: (): Promise<void> => follow(() => client.monitorBulk.undo(), 'Couldn’t undo'),
    closeBulk,
  };
}

/** This number with the longest notes fits into one message (headless/screen-server.ts). */
const partSize = 20;

async function startInParts(client: AppClient, title: string, all: readonly BulkTask[]) {
  const id = crypto.randomUUID();
  let result: { run: BulkRun | null } = { run: null };
  for (let at = 0; at < all.length; at += partSize) {
    const tasks = all.slice(at, at + partSize);
    // The last one starts the run.
    result = await client.monitorBulk.start({ title, tasks, part: { id, isLast: at + partSize >= all.length } });
  }
  return result;
}

function startedRun(title: string, total: number): BulkRun {
  return { title, total, done: 0, failed: 0, stopped: 0, isRunning: true, canUndo: false, failures: [] };
}
