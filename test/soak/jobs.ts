// Work that repeats at a steady pace until it is stopped, each round counted; a failed round is stored as a message.
import { setTimeout as pause } from 'node:timers/promises';

export type Job = { name: string; everyMs: number; run: () => Promise<unknown> };
export type JobCount = {
  name: string;
  done: number;
  failed: number;
  slowestMs: number;
  lastProblem: string | undefined;
};

export function startJobs(jobs: readonly Job[]): { counts: () => JobCount[]; stop: () => Promise<void> } {
  const stopping = new AbortController();
  const running = jobs.map((job) => {
    const count: JobCount = { name: job.name, done: 0, failed: 0, slowestMs: 0, lastProblem: undefined };
    return { count, ended: repeat(job, count, stopping.signal) };
  });
  return {
    counts: () => running.map(({ count }) => ({ ...count })),
    async stop() {
      stopping.abort();
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

async function repeat(job: Job, count: JobCount, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const startedAt = performance.now();
    try {
      await job.run();
      count.done += 1;
    } catch (error) {
      count.failed += 1;
      count.lastProblem = error instanceof Error ? error.message : String(error);
    }
    const tookMs = performance.now() - startedAt;
    count.slowestMs = Math.max(count.slowestMs, tookMs);
    await pause(Math.max(0, job.everyMs - tookMs), undefined, { signal: stopped }).catch(() => {});
  }
}
