// What a monitor will send, in a sentence.
import { eventRulesOf, type MonitorOptions, precipitationTypes } from '@rainbell/contract/service-api';

export function describeOptions(options: MonitorOptions): string {
  const rules = eventRulesOf(options);
  if (!rules) return 'Sends the monitor when precipitation is near, at most once an hour.';
  const { events, types, leastMmPerHour, leadMinutes, dryMinutes } = rules;
  const what = types.length === precipitationTypes.length ? 'precipitation' : types.join(', ').replaceAll('_', ' ');
  const parts = [
    ...(events.includes('precipitation.expected') ? [`up to ${leadMinutes} min before it starts`] : []),
    ...(events.includes('precipitation.started') ? ['when it starts'] : []),
    ...(events.includes('precipitation.ended') ? [`after ${dryMinutes} dry minutes`] : []),
  ];
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);
  return `Sends an event for ${what} from ${leastMmPerHour} mm/h: ${list}.`;
}
