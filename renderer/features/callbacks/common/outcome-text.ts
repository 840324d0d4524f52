// Describes the outcome of the response to a callback.
import type { Callback, CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import { formatDuration } from '#renderer/ui/text/durations.ts';

type WithOutcome = Pick<CallbackSummary, 'outcome' | 'answeredStatus' | 'isByFeed'>;

/** For a narrow column. */
export function formatShortOutcome({ outcome, answeredStatus, isByFeed }: WithOutcome): string {
  if (isByFeed) return 'By feed';
  switch (outcome.kind) {
    case 'answered':
      return String(answeredStatus);
    case 'refused':
      return answeredStatus === 0 ? '—' : String(answeredStatus);
    case 'waiting':
      return '…';
    case 'unrecorded':
      return '?';
    case 'closed':
    case 'reset':
    case 'aborted':
    case 'dropped':
      return outcome.kind;
  }
}

/** Whether the sender got something other than success. */
export function isBadOutcome({ outcome, answeredStatus }: WithOutcome): boolean {
  if (outcome.kind === 'answered' || outcome.kind === 'refused') return answeredStatus >= 400 || answeredStatus === 0;
  return outcome.kind !== 'waiting' && outcome.kind !== 'unrecorded';
}

/** A sentence without its period. */
export function formatOutcome(callback: WithOutcome & Pick<Callback, 'answer'>): string {
  const { outcome, answeredStatus, answer } = callback;
  if (callback.isByFeed) return 'Read from the feed, so no response was sent';
  const after = outcome.afterMs === null ? '' : ` after ${formatMilliseconds(outcome.afterMs)}`;
  const plan = formatPlan(answer);
  switch (outcome.kind) {
    case 'answered':
      return `Responded with ${answeredStatus}${answer?.isByHand ? ' by hand' : ''}${after}${answer?.rule == null ? '' : ` by the rule “${answer.rule}”`}`;
    case 'closed':
      return `The sender closed the connection${after}, before a response${plan}`;
    case 'reset':
      return `The sender reset the connection${after}, before a response${plan}`;
    case 'aborted': {
      const verb = answer?.action === 'reset' ? 'reset' : 'closed';
      return `The rule “${answer?.rule ?? ''}” ${verb} the connection${after}`;
    }
    case 'dropped':
      return `The receiver closed the connection${after}, before a response${plan}`;
    case 'refused':
      return answeredStatus === 0 ? 'Refused without a response' : `Refused with ${answeredStatus}`;
    case 'waiting':
      return 'Waiting for the response';
    case 'unrecorded':
      return 'Outcome not recorded';
  }
}

function formatPlan(response: Callback['answer']): string {
  if (!response) return '';
  const what = response.action === 'answer' ? String(response.status) : response.action;
  const delay = response.delayMs > 0 ? ` after ${formatMilliseconds(response.delayMs)}` : '';
  return response.rule === null ? ` (planned: ${what}${delay})` : ` (rule “${response.rule}”: ${what}${delay})`;
}

/** `8 ms`, `1.5 s`, `2 min`. */
export function formatMilliseconds(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000 ? `${Number((ms / 1000).toFixed(1))} s` : formatDuration(ms);
}
