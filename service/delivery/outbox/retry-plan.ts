// When an event is tried again (docs/delivery.md S3), decided without any I/O. All attempts end before the monitor's
// next window opens.
import { eventIntervalSeconds } from '@rainbell/contract/service-api';
import type { SendResult } from './send-callback.ts';

/** `gone`: 410, the receiver wants no more callbacks (docs/delivery.md S10). `final`: a retry cannot help. */
export type Verdict = 'delivered' | 'retry' | 'final' | 'gone';

const pausesMs = [10_000, 60_000, 300_000, 1_200_000];
const jitter = 0.2;
const retriedStatuses: readonly number[] = [408, 425, 429];

export function verdictOf({ status, error }: Pick<SendResult, 'status' | 'error'>): Verdict {
  if (status === null) return error === 'forbidden' ? 'final' : 'retry';
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  return retriedStatuses.includes(status) || status >= 500 ? 'retry' : 'final';
}

export type RetryQuestion = {
  /** Attempts made so far, this one included. */
  attempts: number;
  occurredAt: number;
  now: number;
  retryAfterSeconds: number | undefined;
};

/** `retries`: maximum attempts after the first. `timeoutMs`: maximum duration of an attempt. */
export type RetryRules = { retries: number; timeoutMs: number; random: () => number };

/** Returns the time of the next attempt, or undefined if there is none. */
export function nextAttemptAt(question: RetryQuestion, { retries, timeoutMs, random }: RetryRules): number | undefined {
  const pauseMs = pausesMs[question.attempts - 1];
  if (pauseMs === undefined || question.attempts > retries) return undefined;
  const ownPauseMs = Math.round(pauseMs * (1 + jitter * (2 * random() - 1)));
  const requestedPauseMs = (question.retryAfterSeconds ?? 0) * 1000;
  const at = question.now + Math.max(ownPauseMs, requestedPauseMs);
  const windowEnd = question.occurredAt + eventIntervalSeconds * 1000;
  return at + timeoutMs < windowEnd ? at : undefined;
}
