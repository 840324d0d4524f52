// Cells of the lists of events.
import { visibleText } from '@rainbell/shared';
import { type EventRecord, type EventState, eventStateLabels } from '@rainbell/contract/service-api';
import { Badge } from '../../ui/controls/Badge.tsx';

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
    <Badge tone={stateTones[state]}>
      {type === 'test' ? `Test: ${eventStateLabels[state].toLowerCase()}` : eventStateLabels[state]}
    </Badge>
  );
}

/** A text from outside in one line of a row. */
export function TextCell({ text }: { readonly text: string }) {
  const shown = visibleText(text, 300);
  return (
    <span className="rb-truncate" dir="auto" title={shown}>
      {shown}
    </span>
  );
}
