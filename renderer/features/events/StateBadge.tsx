// How an event ended, in a word.
import { type EventRecord, type EventState, eventStateLabels } from '@rainbell/contract/service-api';

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
      {type === 'test' ? `Test: ${eventStateLabels[state].toLowerCase()}` : eventStateLabels[state]}
    </span>
  );
}
