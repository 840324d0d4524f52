// Describes the outcome of the response to a callback.
import type { Callback, CallbackSummary } from '@rainbell/contract/app-rpc';
import { formatDuration } from '../../../ui/text/durations.ts';

type WithOutcome = Pick<CallbackSummary, 'outcome' | 'answeredStatus' | 'isByFeed'>;

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

/** Each without and with the time until the end. */
const sentences = {
  answered: ['Responded with {status}', 'Responded with {status} after {after}'],
  answeredByHand: ['Responded manually with {status}', 'Responded manually with {status} after {after}'],
  closed: [
    'The sender closed the connection before it got a response',
    'The sender closed the connection after {after}, before it got a response',
  ],
  reset: [
    'The sender reset the connection before it got a response',
    'The sender reset the connection after {after}, before it got a response',
  ],
  dropped: [
    'The receiver closed the connection before it sent a response',
    'The receiver closed the connection after {after}, before it sent a response',
  ],
  // As a rule wants it.
  aborted: ['Connection closed', 'Connection closed after {after}'],
  abortedByReset: ['Connection reset', 'Connection reset after {after}'],
  plannedAnswer: ['planned: {status}', 'planned: {status} after {after}'],
  plannedReset: ['planned: reset the connection', 'planned: reset the connection after {after}'],
  plannedClose: ['planned: close the connection', 'planned: close the connection after {after}'],
} as const;

function write(sentence: keyof typeof sentences, status: number | null, ms: number | null): string {
  const [plain, timed] = sentences[sentence];
  const text = ms === null ? plain : timed.replace('{after}', formatMilliseconds(ms));
  return text.replace('{status}', String(status));
}

const plans = { answer: 'plannedAnswer', reset: 'plannedReset', close: 'plannedClose' } as const;

/** For instance `Responded with 200 after 12 ms` and `rule “Slow”`. */
export function describeOutcome(callback: WithOutcome & Pick<Callback, 'answer'>): readonly string[] {
  const { outcome, answeredStatus, answer } = callback;
  const { kind, afterMs } = outcome;
  if (callback.isByFeed) return ['Read from the feed, so no response was sent'];
  const rule = answer?.rule == null ? [] : [`rule “${answer.rule}”`];
  switch (kind) {
    case 'answered':
      return [write(answer?.isByHand ? 'answeredByHand' : kind, answeredStatus, afterMs), ...rule];
    case 'aborted':
      return [write(answer?.action === 'reset' ? 'abortedByReset' : kind, answeredStatus, afterMs), ...rule];
    case 'closed':
    case 'reset':
    case 'dropped': {
      const plan = answer ? [write(plans[answer.action], answer.status, answer.delayMs || null)] : [];
      return [write(kind, answeredStatus, afterMs), ...rule, ...plan];
    }
    case 'refused':
      return [answeredStatus === 0 ? 'Refused without a response' : `Refused with ${answeredStatus}`];
    case 'waiting':
      return ['Waiting for the response'];
    case 'unrecorded':
      return ['Outcome not recorded'];
  }
}

/** `8 ms`, `1.5 s`, `2 min`. */
export function formatMilliseconds(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000 ? `${Number((ms / 1000).toFixed(1))} s` : formatDuration(ms);
}
