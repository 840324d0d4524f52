// How an event ended, in a word.
import type { EventRecord, EventState } from '@rainbell/contract/service-api';

export const stateLabels: Readonly<Record<EventState, string>> = {
  waiting: 'Sending',
  delivered: 'Delivered',
  failed: 'Failed',
  expired: 'Expired',
  replaced: 'Replaced',
  deleted: 'Deleted',
  feed_only: 'Delivery off',
};

const stateTones: Readonly<Record<EventState, 'good' | 'bad' | 'warn' | 'plain' | 'accent'>> = {
  waiting: 'accent',
  delivered: 'good',
  failed: 'bad',
  expired: 'bad',
  replaced: 'plain',
  deleted: 'plain',
  feed_only: 'warn',
};

export function StateBadge({ event: { state, type } }: { readonly event: EventRecord }) {
  return (
    <span className="rb-badge" data-tone={stateTones[state]}>
      {type === 'test' ? `Test: ${stateLabels[state].toLowerCase()}` : stateLabels[state]}
    </span>
  );
}
