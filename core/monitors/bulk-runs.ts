// One action on many monitors: a result per task, stop, retry, and undo. Nothing is all-or-nothing: what was done stays done. A run
// belongs to the connection that it began with, and stops when another one becomes active. It is on disk before the first request,
// so that a crash loses neither what is left to do nor how to undo what was done.
import { type BulkRun, type BulkTask, maxBulkTasks } from '@rainbell/contract/app-rpc';
import type { Clock } from '@rainbell/shared';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Connection } from '../connection/connection.ts';
import type { BulkEntry, BulkState, BulkStore } from './bulk-store.ts';

/** What tasks do. */
export type BulkWork = {
  /** The task that undoes this one, from what is known before it is sent; undefined if nothing does, or if that shows later. */
  inverseOf: (connection: Connection, task: BulkTask) => BulkTask | undefined;
  /** Sends a task, and returns what undoes it if only the response says so. */
  send: (connection: Connection, task: BulkTask) => Promise<BulkTask | undefined>;
  /** Those of the tasks with an unknown result that the service shows to be done. */
  carriedOut: (connection: Connection, tasks: readonly BulkTask[]) => Promise<ReadonlySet<BulkTask>>;
  /** Whether a task needs no request; `save` carries such tasks out, all at once. */
  isLocal: (task: BulkTask) => boolean;
  save: (connection: Connection, tasks: readonly BulkTask[]) => void;
};

type Dependencies = {
  activeConnection: ActiveConnection;
  store: BulkStore;
  work: BulkWork;
  clock: Clock;
  /** After a run has ended. */
  onEnd: () => void;
};

type Run = {
  title: string;
  connectionId: string;
  entries: BulkEntry[];
  isRunning: boolean;
  isStopped: boolean;
};

/** The pace of the requests (write-pace.ts) is the limit; this bounds what waits for it. */
const lanes = 32;
const shownFailures = 500;
/** Tasks to mark as sent in one transaction; after a crash, the results of at most this many are unknown. */
const sendBatchSize = 64;
/** Tasks without a request to run before other work gets its turn. */
const saveBatchSize = 500;
/** Results are written together after this long. */
const saveMs = 250;

const lostResult = 'Rainbell quit before the result was known. The change may have been made.';

export function createBulkRuns(dependencies: Dependencies) {
  const { activeConnection, store, work, onEnd } = dependencies;
  let run = restored(store);
  let ended: Promise<void> = Promise.resolve();
  /** What arrived of a run whose last part is missing. */
  let parts: { id: string; tasks: readonly BulkTask[] } | undefined;

  /** Never rejects. */
  async function runAll(of: Run, connection: Connection): Promise<void> {
    Object.assign(of, { isRunning: true, isStopped: false });
    const release = connection.hold();
    const waiting = of.entries.flatMap(({ state }, place) => (state === 'waiting' ? [place] : []));
    try {
      await carryOut(dependencies, of, connection, waiting);
    } catch (error) {
      // The disk failed, and nothing is sent that cannot be written down before.
      of.isStopped = true;
      for (const place of waiting) {
        const entry = of.entries[place];
        if (entry?.state === 'waiting' || entry?.state === 'sent') fail(entry, error);
      }
    }
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
    store.replace(run);
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
      const unknown = of.entries.flatMap(({ state, task }) => (state === 'unknown' ? [task] : []));
      const done = await work.carriedOut(connection, unknown);
      if (of !== present() || of.isRunning) return describePresent();
      const places = of.entries.flatMap(({ state }, place) => (isOpen(state) ? [place] : []));
      for (const place of places) {
        const entry = of.entries[place];
        if (entry)
          Object.assign(entry, { state: done.has(entry.task) ? 'done' : 'waiting', message: '', trafficId: undefined });
      }
      store.save(places, of.entries);
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
      if (!run || run.isRunning || run !== present()) return;
      run = undefined;
      store.clear();
    },
    /** Before the database closes: stops what runs, and deletes runs that succeeded completely. */
    async end() {
      if (run) run.isStopped = true;
      await ended;
      try {
        if (run?.entries.every(({ state }) => state === 'done')) store.clear();
      } catch {
        // It is shown after the next start.
      }
    },
  };
}

async function carryOut(
  { activeConnection, store, work, clock }: Dependencies,
  of: Run,
  connection: Connection,
  waiting: readonly number[],
): Promise<void> {
  const isOver = () => of.isStopped || activeConnection.present() !== connection;
  const marks = createMarks(of, store, clock);
  const isLocal = (place: number) => {
    const task = of.entries[place]?.task;
    return task !== undefined && work.isLocal(task);
  };
  const local = waiting.filter(isLocal);
  for (let first = 0; first < local.length && !isOver(); first += saveBatchSize) {
    const places = local.slice(first, first + saveBatchSize);
    saveAll(
      work,
      connection,
      places.flatMap((place) => of.entries[place] ?? []),
    );
    store.save(places, of.entries);
    // Others get their turn.
    await new Promise<void>((resolve) => void clock.after(0, resolve));
  }
  const open = waiting.filter((place) => !isLocal(place));
  const queue = open.entries();
  const lane = async () => {
    for (const [position, place] of queue) {
      if (isOver()) return;
      const entry = of.entries[place];
      if (entry?.state === 'waiting') marks.sent(open.slice(position, position + sendBatchSize));
      if (entry) await sendOne(work, connection, entry);
      marks.changed(place);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const place of waiting) {
    const entry = of.entries[place];
    if (entry?.state === 'waiting' || entry?.state === 'sent') entry.state = 'stopped';
  }
  marks.end(waiting);
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

/** Writes down which entries are about to be sent, before they are, and results a little later. */
function createMarks({ entries }: Run, store: BulkStore, clock: Clock) {
  let unsaved: number[] = [];
  let cancelTimer: (() => void) | undefined;
  const save = () => {
    cancelTimer = undefined;
    try {
      store.save(unsaved, entries);
      unsaved = [];
    } catch {
      // With the next results; what a crash loses until then counts as unknown.
    }
  };
  return {
    sent(places: readonly number[]) {
      const marked = places.filter((place) => entries[place]?.state === 'waiting');
      for (const place of marked) Object.assign(entries[place] ?? {}, { state: 'sent' });
      store.save(marked, entries);
    },
    changed(place: number) {
      unsaved.push(place);
      cancelTimer ??= clock.after(saveMs, save);
    },
    end(places: readonly number[]) {
      cancelTimer?.();
      store.save(places, entries);
    },
  };
}

/** The run that a crash interrupted, or that was not closed. */
function restored(store: BulkStore): Run | undefined {
  const stored = store.read();
  if (!stored) return undefined;
  for (const entry of stored.entries) {
    if (entry.state === 'sent') Object.assign(entry, { state: 'unknown', message: lostResult });
    if (entry.state === 'waiting') entry.state = 'stopped';
  }
  return { ...stored, isRunning: false, isStopped: true };
}

function fail(entry: BulkEntry, error: unknown): void {
  const { message, details } = toProblem(error);
  Object.assign(entry, { state: 'failed', message, trafficId: details.trafficId });
}

function isOpen(state: BulkState): boolean {
  return state === 'failed' || state === 'stopped' || state === 'unknown';
}

/** What may have been done is undone, too. */
function inverseOf({ entries }: Run): BulkTask[] {
  return entries.flatMap(({ state, inverse }) =>
    (state === 'done' || state === 'unknown') && inverse ? [inverse] : [],
  );
}

function describe(run: Run): BulkRun {
  const count = (...states: BulkState[]) => run.entries.filter(({ state }) => states.includes(state)).length;
  const failures = run.entries.filter(({ state }) => state === 'failed' || state === 'unknown').slice(0, shownFailures);
  return {
    title: run.title,
    total: run.entries.length,
    done: count('done'),
    failed: count('failed', 'unknown'),
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
