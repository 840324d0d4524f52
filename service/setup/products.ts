// What users send rain events to: the form of its URL, and what its monitor needs (docs/recipes).
import type { MonitorOptions } from '@rainbell/contract/service-api';

export type Product = { id: string; name: string; url: string; payload: NonNullable<MonitorOptions['payload']> };

const ntfy = 'https://ntfy.sh/TOPIC?template=yes&title=%7B%7B.title%7D%7D&message=%7B%7B.message%7D%7D&tags=umbrella';

export const products: readonly Product[] = [
  { id: 'home-assistant', name: 'Home Assistant', url: 'http://192.168.1.20:8123/api/webhook/ID', payload: 'event' },
  { id: 'node-red', name: 'Node-RED or n8n', url: 'http://192.168.1.20:1880/rain', payload: 'event' },
  { id: 'ntfy', name: 'ntfy', url: ntfy, payload: 'event' },
  { id: 'slack', name: 'Slack', url: 'https://hooks.slack.com/services/…', payload: 'slack' },
  { id: 'discord', name: 'Discord', url: 'https://discord.com/api/webhooks/…', payload: 'discord' },
  { id: 'teams', name: 'Microsoft Teams', url: 'the URL of a workflow', payload: 'teams' },
  // Its rain delay ends automatically, so each hour of rain renews it.
  { id: 'opensprinkler', name: 'OpenSprinkler', url: 'http://192.168.1.30/cv?pw=MD5&rd=6', payload: 'monitor' },
  { id: 'own', name: 'My own program', url: 'http://192.168.1.40:9000/', payload: 'event' },
];

export const eventChoices = [
  { value: 'started,ended', text: 'When precipitation starts and ends' },
  { value: 'started', text: 'Only when it starts' },
  { value: 'expected,started,ended', text: 'Also 15 minutes ahead, if it is forecast' },
] as const;

/** `events`: "started,ended". */
export function optionsOf(payload: Product['payload'], events: string, leastRate?: number): MonitorOptions {
  if (payload === 'monitor') return {};
  const chosen = events.split(',').map((event) => `precipitation.${event.trim()}`) as MonitorOptions['events'];
  const conditions = leastRate === undefined ? {} : { conditions: { min_precipitation_rate: leastRate } };
  return { payload, events: chosen, ...conditions };
}
