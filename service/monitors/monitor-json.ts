// A monitor as JSON (docs/interface.md §2.2): identical bytes in the list, the single response, and the callback.
import type { Selectable } from 'kysely';
import type { LatLng } from '@rainbell/contract/service-api';
import type { Tables } from '../database/tables.ts';

export type MonitorRow = Selectable<Tables['monitors']>;

type Shown = Pick<MonitorRow, 'id' | 'callback_uri' | 'latitude' | 'longitude' | 'monitor_type' | 'rules'>;

export function monitorUri(id: string): string {
  return `/v2/monitors/${id}/`;
}

/** Formats JSON in the contract's order of members, with −0 as sent; JSON.stringify would drop its sign. */
export function monitorJson(row: Shown): string {
  return (
    `{"uri":${JSON.stringify(monitorUri(row.id))},` +
    `"geo":{"type":"Point","coordinates":[${row.longitude},${row.latitude}]},` +
    `"id":${JSON.stringify(row.id)},"callback_uri":${JSON.stringify(row.callback_uri)},` +
    `"monitor_type":${JSON.stringify(row.monitor_type)}` +
    // The rules are a JSON object whose members follow.
    (row.rules === null ? '}' : `,${row.rules.slice(1)}`)
  );
}

export function placeOf(row: Pick<MonitorRow, 'latitude' | 'longitude'>): LatLng {
  return { lat: Number(row.latitude), lng: Number(row.longitude) };
}
