// One action on many monitors: a result per task, stop, retry, and undo. Nothing is all-or-nothing: what was done stays done. A run
// belongs to the connection that it began with, and stops when another one becomes active.
import { type BulkRun, type BulkTask, maxBulkTasks } from '@rainbell/contract/app-rpc';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Connection } from '../connection/connection.ts';
import { limitParallel } from '../http/limit-parallel.ts';
import type { BulkWork } from './bulk-work.ts';

type Dependencies = {
  activeConnection: ActiveConnection;
  work: BulkWork;
  onEnd: () => void;
};

type BulkState = 'waiting' | 'done' | 'failed' | 'stopped';

type BulkEntry = {
  task: BulkTask;
  state: BulkState;
  message: string;
  trafficId: number | undefined;
  /** What undoes the task; undefined if nothing does. */
  inverse: BulkTask | undefined;
};

type Run = {
  title: string;
  connectionId: string;
  entries: BulkEntry[];
  isRunning: boolean;
  isStopped: boolean;
};

/** The pace of the requests (write-pace.ts) is the limit; this bounds what waits for it. */
const atOnce = 32;
const shownFailures = 500;

export function createBulkRuns(dependencies: Dependencies) {
  const { activeConnection, work, onEnd } = dependencies;
  let run: Run | undefined;
  let ended: Promise<void> = Promise.resolve();
  /** What arrived of a run whose last part is missing. */
  let parts: { id: string; tasks: readonly BulkTask[] } | undefined;

  /** Never rejects. */
  async function runAll(of: Run, connection: Connection): Promise<void> {
    Object.assign(of, { isRunning: true, isStopped: false });
    const release = connection.hold();
    await carryOut(dependencies, of, connection);
    of.isRunning = false;
    release();
    onEnd();
  }

  function start(title: string, connection: Connection, tasks: readonly BulkTask[], canBeUndone: boolean): BulkRun {
    if (run?.isRunning) {
      throw new AppFailure('CONFLICT', `“${run.title}” is still running. Stop it, or wait until it finishes.`);
    }
    const entries = tasks.map((task): BulkEntry => {
      const inverse = canBeUndone ? work.inverseOf(connection, task) : undefined;
      return { task, state: 'waiting', message: '', trafficId: undefined, inverse };
    });
    run = { title, connectionId: connection.profile.id, entries, isRunning: true, isStopped: false };
    ended = runAll(run, connection);
    return describe(run);
  }

  /** The run of the active connection. */
  function present(): Run | undefined {
    return run?.connectionId === activeConnection.present()?.profile.id ? run : undefined;
  }

  const describePresent = () => {
    const of = present();
    return of ? describe(of) : null;
  };
  return {
    /** Null for a part that is not the last. */
    async start(
      title: string,
      tasks: readonly BulkTask[],
      part?: { id: string; isLast: boolean },
    ): Promise<BulkRun | null> {
      const all = part !== undefined && part.id === parts?.id ? [...parts.tasks, ...tasks] : tasks;
      if (all.length > maxBulkTasks)
        throw new AppFailure('INVALID_INPUT', `An action can have at most ${maxBulkTasks} tasks.`, { field: 'tasks' });
      parts = part?.isLast === false ? { id: part.id, tasks: all } : undefined;
      if (parts) return null;
      // A connection that is chosen while the call waits is not the one that it was made for.
      return start(title, activeConnection.present() ?? (await activeConnection.current()), all, true);
    },
    /** Null if there is none, or if it belongs to another connection than the active one. */
    state: describePresent,
    stop(): BulkRun | null {
      const of = present();
      if (of) of.isStopped = true;
      return describePresent();
    },
    async retry(): Promise<BulkRun | null> {
      const connection = await activeConnection.current();
      const of = present();
      if (!of || of.isRunning) return describePresent();
      for (const entry of of.entries) {
        if (entry.state !== 'done') Object.assign(entry, { state: 'waiting', message: '', trafficId: undefined });
      }
      ended = runAll(of, connection);
      return describe(of);
    },
    async undo(): Promise<BulkRun | null> {
      const connection = await activeConnection.current();
      const of = present();
      const inverse = of && !of.isRunning ? inverseOf(of) : [];
      if (!of || inverse.length === 0) return describePresent();
      return start(`Undo: ${of.title}`, connection, inverse, false);
    },
    close() {
      if (run && !run.isRunning && run === present()) run = undefined;
    },
    /** Before the app ends. */
    async end() {
      if (run) run.isStopped = true;
      await ended;
    },
  };
}

async function carryOut({ activeConnection, work }: Dependencies, of: Run, connection: Connection): Promise<void> {
  const isOver = () => of.isStopped || activeConnection.present() !== connection;
  const waiting = of.entries.filter(({ state }) => state === 'waiting');
  const { local = [], sent = [] } = Object.groupBy(waiting, ({ task }) => (work.isLocal(task) ? 'local' : 'sent'));
  if (local.length > 0) saveAll(work, connection, local);
  const inTurn = limitParallel(atOnce);
  await Promise.all(
    sent.map((entry) =>
      inTurn(async () => {
        if (isOver()) entry.state = 'stopped';
        else await sendOne(work, connection, entry);
      }),
    ),
  );
}

function saveAll(work: BulkWork, connection: Connection, entries: readonly BulkEntry[]): void {
  try {
    work.save(
      connection,
      entries.map(({ task }) => task),
    );
    for (const entry of entries) entry.state = 'done';
  } catch (error) {
    for (const entry of entries) fail(entry, error);
  }
}

async function sendOne(work: BulkWork, connection: Connection, entry: BulkEntry): Promise<void> {
  try {
    entry.inverse = (await work.send(connection, entry.task)) ?? entry.inverse;
    entry.state = 'done';
  } catch (error) {
    fail(entry, error);
  }
}

function fail(entry: BulkEntry, error: unknown): void {
  const { message, details } = toProblem(error);
  Object.assign(entry, { state: 'failed', message, trafficId: details.trafficId });
}

function inverseOf({ entries }: Run): BulkTask[] {
  return entries.flatMap(({ state, inverse }) => (state === 'done' && inverse ? [inverse] : []));
}

function describe(run: Run): BulkRun {
  const count = (state: BulkState) => run.entries.filter((entry) => entry.state === state).length;
  const failures = run.entries.filter(({ state }) => state === 'failed').slice(0, shownFailures);
  return {
    title: run.title,
    total: run.entries.length,
    done: count('done'),
    failed: count('failed'),
    stopped: count('stopped'),
    isRunning: run.isRunning,
    canUndo: !run.isRunning && inverseOf(run).length > 0,
    failures: failures.map(({ task, message, trafficId }) => ({
      label: 'label' in task ? task.label : task.id,
      message,
      ...(trafficId !== undefined && { trafficId }),
    })),
  };
}
