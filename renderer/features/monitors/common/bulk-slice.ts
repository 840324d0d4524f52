// One action for many monitors: four requests at a time, a result per row, stop, and a retry of what failed. Nothing is
// all-or-nothing: what was done stays done, and is shown.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { AppMonitor, CallbackTarget } from '#contract/app-rpc/monitors.ts';
import { toFailure } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import {
  callbackTasks,
  type CallbackChoice,
  duplicateTasks,
  importTasks,
  moveTasks,
  type UpdateOne,
} from './bulk-tasks.ts';
import type { PlannedRow } from './import-plan.ts';

export type BulkTask = {
  key: string;
  label: string;
  /** Answers what was done, in words. */
  run: () => Promise<string>;
};

export type BulkRow = {
  task: BulkTask;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped';
  words: string;
  /** The request behind a failure, in the traffic log. */
  exchangeId?: number | undefined;
};

export type BulkRun = { title: string; rows: readonly BulkRow[]; isRunning: boolean };

export type BulkPart = {
  bulk: BulkRun | null;
  setCallbackOf(monitors: readonly AppMonitor[], callback: CallbackChoice): Promise<void>;
  moveAll(monitors: readonly AppMonitor[], by: LatLng): Promise<void>;
  duplicateAll(monitors: readonly AppMonitor[], by: LatLng, instead: CallbackTarget): Promise<void>;
  createAll(plan: readonly PlannedRow[]): Promise<void>;
  /** What is under way ends; the rest is not begun. */
  stopBulk(): void;
  /** What failed or was stopped, once more. */
  retryBulk(): Promise<void>;
  closeBulk(): void;
};

const atOnce = 4;

/** Of a write that was answered, and of the last one. */
type Listeners = { onWritten: (monitor: AppMonitor) => void; onEnd: () => void };

export function createBulkPart(
  { client, read, change }: SliceTools<BulkPart>,
  { onWritten, onEnd }: Listeners,
): Omit<BulkPart, 'bulk'> {
  let isStopped = false;
  const set = (index: number, part: Partial<BulkRow>) => {
    const { bulk } = read();
    const row = bulk?.rows[index];
    if (bulk && row) change({ bulk: { ...bulk, rows: bulk.rows.with(index, { ...row, ...part }) } });
  };
  const runOne = async (index: number) => {
    const task = read().bulk?.rows[index]?.task;
    if (!task) return;
    set(index, { state: 'running', words: '', exchangeId: undefined });
    try {
      set(index, { state: 'done', words: await task.run() });
    } catch (error) {
      const { message, details } = toFailure(error);
      set(index, { state: 'failed', words: message, exchangeId: details.exchangeId });
    }
  };
  const run = async (title: string, rows: readonly BulkRow[]) => {
    isStopped = false;
    change({ bulk: { title, rows, isRunning: true } });
    const waiting = rows.flatMap(({ state }, index) => (state === 'waiting' ? [index] : [])).values();
    const lane = async () => {
      for (const index of waiting) {
        if (isStopped) set(index, { state: 'stopped', words: 'Not begun.' });
        else await runOne(index);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    const { bulk } = read();
    if (bulk) change({ bulk: { ...bulk, isRunning: false } });
    onEnd();
  };
  const update: UpdateOne = async (id, changes) => {
    const written = await client.monitors.update({ id, changes, readBack: false });
    onWritten(written);
    return written;
  };
  const start = (title: string, tasks: readonly BulkTask[]) =>
    run(
      title,
      tasks.map((task) => ({ task, state: 'waiting', words: '' })),
    );
  return {
    setCallbackOf: (monitors, callback) =>
      start(`Set the callback of ${monitors.length}`, callbackTasks(update, monitors, callback)),
    moveAll: (monitors, by) => start(`Move ${monitors.length}`, moveTasks(update, monitors, by)),
    duplicateAll: (monitors, by, instead) =>
      start(`Duplicate ${monitors.length}`, duplicateTasks(client, monitors, by, instead)),
    createAll(plan) {
      const tasks = importTasks(client, plan);
      return start(`Create ${tasks.length}`, tasks);
    },
    stopBulk() {
      isStopped = true;
    },
    async retryBulk() {
      const { bulk } = read();
      if (!bulk || bulk.isRunning) return;
      const isOpen = ({ state }: BulkRow) => state === 'failed' || state === 'stopped';
      await run(
        bulk.title,
        bulk.rows.map((row) => (isOpen(row) ? { ...row, state: 'waiting', words: '' } : row)),
      );
    },
    closeBulk: () => change({ bulk: null }),
  };
}
