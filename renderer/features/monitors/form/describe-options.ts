// What a monitor will send, in a sentence.
import { eventRulesOf, type MonitorOptions, precipitationTypes } from '@rainbell/contract/service-api';

export function describeOptions(options: MonitorOptions): string {
  const rules = eventRulesOf(options);
  if (!rules) return 'Sends the monitor when precipitation is near, at most once an hour.';
  const { events, types, leastMmPerHour, leadMinutes, dryMinutes } = rules;
  const kinds = types.map((kind) => (kind === 'unknown' ? 'an unknown kind' : kind.replace('_', ' ')));
  const what = types.length === precipitationTypes.length ? 'precipitation' : listOf(kinds, 'disjunction');
  const parts = [
    ...(events.includes('precipitation.expected') ? [`up to ${leadMinutes} min before it starts`] : []),
    ...(events.includes('precipitation.started') ? ['when it starts'] : []),
    ...(events.includes('precipitation.ended') ? ['when it is over'] : []),
  ];
  return `Sends an event for ${what} from ${leastMmPerHour} mm/h: ${listOf(parts, 'conjunction')}. It is over after ${dryMinutes} dry minutes.`;
}

function listOf(parts: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en', { type }).format(parts);
}
