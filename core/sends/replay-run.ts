// Replays many callbacks, or some of them many times: one request at a time, so that no receiver is flooded. The app has one run at
// a time, which its screens show, stop, and continue; it lives as long as the app.
import type { Clock } from '@rainbell/shared';
import { pause } from '@rainbell/shared/node';
import { isAccepted, type ReplayRequest, type ReplayResult, type ReplayRunState } from '@rainbell/contract/app-rpc';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import { createBoundedRate } from '../ports/bounded-rate.ts';

type SendingRun = {
  /** In order; an ID may be there more than once. */
  ids: readonly number[];
  send: (id: number) => Promise<ReplayResult>;
  delayMs: number;
  clock: Pick<Clock, 'after'>;
  /** Ends the run after the response that is awaited. */
  signal: AbortSignal;
};

/** Until all are sent, or the run is stopped. Throws what would fail for every one, such as a URL that is not allowed. */
export async function* runReplay({ ids, send, delayMs, clock, signal }: SendingRun): AsyncGenerator<ReplayResult> {
  for (const [index, id] of ids.entries()) {
    if (index > 0 && delayMs > 0) await pause(clock, delayMs, signal);
    if (signal.aborted) return;
    yield await send(id).catch((error: unknown) => skippedResult(id, error));
  }
}

const codesOfOne = new Set(['NOT_FOUND', 'INVALID_INPUT', 'UNAVAILABLE', 'STORAGE']);

/** Rethrows what is not about this callback. */
function skippedResult(callbackId: number, error: unknown): ReplayResult {
  const isOfOne =
    error instanceof AppFailure && codesOfOne.has(error.code) && !['url', 'sender'].includes(error.details.field ?? '');
  if (!isOfOne) throw error;
  return { callbackId, url: '', tookMs: 0, outcome: { kind: 'skipped', message: error.message } };
}

type Run = {
  request: ReplayRequest;
  ids: readonly number[];
  results: ReplayResult[];
  isRunning: boolean;
  stopping: AbortController;
  failure: string | null;
};

type ReplayDependencies = {
  send: (id: number, request: ReplayRequest) => Promise<ReplayResult>;
  clock: Clock;
  /** At most five times a second. */
  onChanged: () => void;
};

const noticeIntervalMs = 200;
const shownResults = 500;

export function createReplayRun({ send, clock, onChanged }: ReplayDependencies) {
  let run: Run | null = null;
  const { report: changed, cancel } = createBoundedRate(clock, noticeIntervalMs, onChanged);

  async function goOn(now: Run): Promise<void> {
    Object.assign(now, { isRunning: true, stopping: new AbortController(), failure: null });
    changed();
    const ids = now.ids.slice(now.results.length);
    const { delayMs } = now.request;
    const { signal } = now.stopping;
    try {
      const results = runReplay({ ids, send: (id) => send(id, now.request), delayMs, clock, signal });
      for await (const { callbackId, url, tookMs, outcome } of results) {
        // The bodies of 10,000 responses would be too much; each callback's Sent tab has its own.
        const kept = outcome.kind === 'answered' ? { ...outcome, headers: [], bodyBase64: '' } : outcome;
        now.results.push({ callbackId, url, tookMs, outcome: kept });
        changed();
      }
    } catch (error) {
      now.failure = toProblem(error).message;
    }
    now.isRunning = false;
    changed();
  }

  return {
    /** Null before one was started, and once it was dismissed. */
    state(): ReplayRunState | null {
      if (!run) return null;
      const { request, ids, results, isRunning, failure } = run;
      return {
        url: request.url,
        isRunning,
        failure,
        total: ids.length,
        sent: results.length,
        accepted: results.filter(isAccepted).length,
        results: results.slice(-shownResults).toReversed(),
      };
    },
    /** Replaces the newest run. Throws AppFailure UNAVAILABLE while it is running. */
    start(ids: readonly number[], request: ReplayRequest): void {
      if (run?.isRunning) throw new AppFailure('UNAVAILABLE', 'Another replay is running. Stop it first.');
      run = { request, ids, results: [], isRunning: true, stopping: new AbortController(), failure: null };
      void goOn(run);
    },
    /** Stops after the response that is awaited, sends the rest, or dismisses a run that is not running. */
    control(action: 'stop' | 'continue' | 'dismiss'): void {
      if (action === 'stop') run?.stopping.abort();
      else if (run && !run.isRunning && action === 'continue') void goOn(run);
      else if (run && !run.isRunning) run = null;
      changed();
    },
    close() {
      run?.stopping.abort();
      cancel();
    },
  };
}
