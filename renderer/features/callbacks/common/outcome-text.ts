// Describes the outcome of the response to a callback.
import type { Callback, CallbackSummary } from '@rainbell/contract/app-rpc';
import { formatDuration } from '../../../ui/text/durations.ts';

type WithOutcome = Pick<CallbackSummary, 'outcome' | 'answeredStatus' | 'isByFeed'>;

/** For a narrow column. */
export function formatShortOutcome({ outcome, answeredStatus, isByFeed }: WithOutcome): string {
  if (isByFeed) return 'From feed';
  if (outcome.kind === 'refused') return answeredStatus === 0 ? '—' : String(answeredStatus);
  return outcome.kind === 'answered' ? String(answeredStatus) : shortOutcomes[outcome.kind];
}

const shortOutcomes = {
  waiting: '…',
  unrecorded: '?',
  closed: 'Closed',
  reset: 'Reset',
  aborted: 'Aborted',
  dropped: 'Dropped',
} as const;

/** Whether the sender got something other than success. */
export function isBadOutcome({ outcome, answeredStatus }: WithOutcome): boolean {
  if (outcome.kind === 'answered' || outcome.kind === 'refused') return answeredStatus >= 400 || answeredStatus === 0;
  return outcome.kind !== 'waiting' && outcome.kind !== 'unrecorded';
}

/** For instance `Responded with 200 after 12 ms` and `rule “Slow”`. */
export function describeOutcome(callback: WithOutcome & Pick<Callback, 'answer'>): readonly string[] {
  const { outcome, answeredStatus: status, answer } = callback;
  if (callback.isByFeed) return ['Read from the feed, so no response was sent'];
  const after = outcome.afterMs === null ? null : formatMilliseconds(outcome.afterMs);
  const plan = answer ? [formatPlan(answer)] : [];
  switch (outcome.kind) {
    case 'answered':
      return [formatResponded(status, after, answer?.isByHand === true), ...formatRule(answer)];
    case 'closed':
      return [
        after === null
          ? 'The sender closed the connection before it got a response'
          : `The sender closed the connection after ${after}, before it got a response`,
        ...formatRule(answer),
        ...plan,
      ];
    case 'reset':
      return [
        after === null
          ? 'The sender reset the connection before it got a response'
          : `The sender reset the connection after ${after}, before it got a response`,
        ...formatRule(answer),
        ...plan,
      ];
    case 'aborted':
      return [formatAborted(after, answer?.action === 'reset'), ...formatRule(answer)];
    case 'dropped':
      return [
        after === null
          ? 'The receiver closed the connection before it sent a response'
          : `The receiver closed the connection after ${after}, before it sent a response`,
        ...formatRule(answer),
        ...plan,
      ];
    case 'refused':
      return [status === 0 ? 'Refused without a response' : `Refused with ${status}`];
    case 'waiting':
      return ['Waiting for the response'];
    case 'unrecorded':
      return ['Outcome not recorded'];
  }
}

function formatResponded(status: number, after: string | null, isByHand: boolean): string {
  if (isByHand)
    return after === null ? `Responded manually with ${status}` : `Responded manually with ${status} after ${after}`;
  return after === null ? `Responded with ${status}` : `Responded with ${status} after ${after}`;
}

/** As a rule wants it. */
function formatAborted(after: string | null, isReset: boolean): string {
  if (isReset) return after === null ? 'Connection reset' : `Connection reset after ${after}`;
  return after === null ? 'Connection closed' : `Connection closed after ${after}`;
}

function formatRule(response: Callback['answer']): readonly string[] {
  return response?.rule == null ? [] : [`rule “${response.rule}”`];
}

function formatPlan({ action, status, delayMs }: NonNullable<Callback['answer']>): string {
  const delay = formatMilliseconds(delayMs);
  switch (action) {
    case 'answer':
      return delayMs > 0 ? `planned: ${status} after ${delay}` : `planned: ${status}`;
    case 'reset':
      return delayMs > 0 ? `planned: reset the connection after ${delay}` : 'planned: reset the connection';
    case 'close':
      return delayMs > 0 ? `planned: close the connection after ${delay}` : 'planned: close the connection';
  }
}

/** `8 ms`, `1.5 s`, `2 min`. */
export function formatMilliseconds(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000 ? `${Number((ms / 1000).toFixed(1))} s` : formatDuration(ms);
}
