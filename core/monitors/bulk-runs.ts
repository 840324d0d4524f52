// One action on many monitors: a result per task, stop, retry, and undo. Nothing is all-or-nothing: what was done stays done. A run
// belongs to the connection that it began with, and stops when another one becomes active.
import type { BulkRun, BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import { AppFailure, toProblem } from '#core/errors/app-failure.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Connection } from '../connection/connection.ts';

/** Carries out one task, and returns the task that undoes it if there is one. */
export type CarryOut = (connection: Connection, task: BulkTask) => Promise<BulkTask | undefined>;

export type BulkRuns = {
  start: (title: string, tasks: readonly BulkTask[]) => Promise<BulkRun>;
  state: () => BulkRun | null;
  stop: () => BulkRun | null;
  retry: () => BulkRun | null;
  undo: () => Promise<BulkRun | null>;
  close: () => void;
};

type Dependencies = {
  activeConnection: ActiveConnection;
  carryOut: CarryOut;
  /** After a run has ended. */
  onEnd: () => void;
};

type Entry = {
  task: BulkTask;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped';
  message: string;
  exchangeId?: number | undefined;
  inverse?: BulkTask | undefined;
};
type Run = { title: string; connection: Connection; entries: readonly Entry[]; isRunning: boolean; isStopped: boolean };

/** The pace of the requests (write-pace.ts) is the limit; this bounds what waits for it. */
const lanes = 32;
const shownFailures = 500;

export function createBulkRuns({ activeConnection, carryOut, onEnd }: Dependencies): BulkRuns {
  let run: Run | undefined;

  async function runOne(of: Run, entry: Entry): Promise<void> {
    if (of.isStopped || activeConnection.present() !== of.connection) {
      entry.state = 'stopped';
      return;
    }
    entry.state = 'running';
    try {
      entry.inverse = await carryOut(of.connection, entry.task);
      entry.state = 'done';
    } catch (error) {
      const { message, details } = toProblem(error);
      Object.assign(entry, { state: 'failed', message, exchangeId: details.exchangeId });
    }
  }

  async function runAll(of: Run): Promise<void> {
    of.isRunning = true;
    of.isStopped = false;
    const release = of.connection.hold();
    const waiting = of.entries.filter(({ state }) => state === 'waiting').values();
    const lane = async () => {
      for (const entry of waiting) await runOne(of, entry);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    of.isRunning = false;
    release();
    onEnd();
  }

  function begin(title: string, connection: Connection, tasks: readonly BulkTask[]): BulkRun {
    if (run?.isRunning) {
      throw new AppFailure('CONFLICT', `“${run.title}” is still running. Stop it, or wait until it ends.`);
    }
    const entries = tasks.map((task): Entry => ({ task, state: 'waiting', message: '' }));
    run = { title, connection, entries, isRunning: true, isStopped: false };
    void runAll(run);
    return describe(run);
  }

  const present = () => (run ? describe(run) : null);
  return {
    start: async (title, tasks) => begin(title, await activeConnection.current(), tasks),
    state: present,
    stop() {
      if (run) run.isStopped = true;
      return present();
    },
    retry() {
      if (!run || run.isRunning) return present();
      for (const entry of run.entries) if (isOpen(entry)) Object.assign(entry, { state: 'waiting', message: '' });
      void runAll(run);
      return present();
    },
    async undo() {
      if (!run || run.isRunning) return present();
      const inverse = inverseOf(run);
      if (inverse.length === 0) return present();
      return begin(`Undo: ${run.title}`, run.connection, inverse);
    },
    close() {
      if (!run?.isRunning) run = undefined;
    },
  };
}

function isOpen({ state }: Entry): boolean {
  return state === 'failed' || state === 'stopped';
}

function inverseOf({ entries }: Run): BulkTask[] {
  return entries.flatMap(({ state, inverse }) => (state === 'done' && inverse ? [inverse] : []));
}

function describe(run: Run): BulkRun {
  const count = (state: Entry['state']) => run.entries.filter((entry) => entry.state === state).length;
  const failures = run.entries.filter(({ state }) => state === 'failed').slice(0, shownFailures);
  return {
    title: run.title,
    total: run.entries.length,
    done: count('done'),
    failed: count('failed'),
    stopped: count('stopped'),
    isRunning: run.isRunning,
    canUndo: !run.isRunning && run.entries.some(({ state, inverse }) => state === 'done' && inverse !== undefined),
    failures: failures.map(({ task, message, exchangeId }) => ({
      label: task.kind === 'create' ? task.label : task.id,
      message,
      ...(exchangeId !== undefined && { exchangeId }),
    })),
  };
}
