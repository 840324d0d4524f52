// Replays many callbacks, or one many times: one request at a time, so that no receiver is flooded. Core decides what is sent and
// keeps each result; the caller has the progress, stops between two requests, and goes on with what was not sent.
import type { CallbackSend } from './callback-sends.ts';
import type { AppClient } from './contract.ts';

/** Requests of one run. */
export const maxReplays = 10_000;

export type ReplayResult = Pick<CallbackSend, 'callbackId' | 'url' | 'tookMs' | 'outcome'>;

type ReplayRun = {
  client: Pick<AppClient, 'callbacks'>;
  /** In order; an ID may be there more than once. */
  ids: readonly number[];
  request: Omit<Parameters<AppClient['callbacks']['replay']>[0], 'id'>;
  isStopped: () => boolean;
  /** Between two requests; ends early once stopped. */
  wait?: () => Promise<void>;
  onResult: (result: ReplayResult) => void;
};

/** Resolves once all are sent, or the run is stopped. Throws what would fail for every one, such as a URL that is not allowed. */
export async function runReplay({ client, ids, request, isStopped, wait, onResult }: ReplayRun): Promise<void> {
  for (const [index, id] of ids.entries()) {
    // oxlint-disable-next-line no-await-in-loop
    if (index > 0) await wait?.();
    if (isStopped()) return;
    // oxlint-disable-next-line no-await-in-loop
    onResult(await client.callbacks.replay({ id, ...request }).catch((error: unknown) => skippedResult(id, error)));
  }
}

export function isAccepted({ outcome }: Pick<CallbackSend, 'outcome'>): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
}

const codesOfOne = new Set<unknown>(['NOT_FOUND', 'INVALID_INPUT', 'UNAVAILABLE', 'STORAGE']);

/** Rethrows what is not about this callback. */
function skippedResult(callbackId: number, error: unknown): ReplayResult {
  const { code, data } = error as { code?: unknown; data?: { field?: unknown } };
  const isOfAll = !codesOfOne.has(code) || data?.field === 'url' || data?.field === 'sender';
  if (!(error instanceof Error) || isOfAll) throw error;
  return { callbackId, url: '', tookMs: 0, outcome: { kind: 'skipped', message: error.message } };
}
