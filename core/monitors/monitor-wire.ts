// Monitors on the wire (docs/interface.md §2.2, §4.5): their paths, what a client writes, and how an answer is read.
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { toLatLng, type LatLng } from '#contract/service-api/geo.ts';
import { callbackUriLimit, type monitorSchema, type MonitorBody } from '#contract/service-api/monitor.ts';
import type { CallbackTarget } from '#contract/app-rpc/monitors.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { readAs } from '../connection/api-client.ts';
import type { HttpResponse } from '#core/http/http-sender.ts';
import type { FieldChange } from './monitor-history.ts';

export type WireMonitor = z.infer<typeof monitorSchema>;
export type MonitorInput = { geo: LatLng; callback: CallbackTarget };

export const monitorsPath = '/v2/monitors/';

export function pathOf(id: string): string {
  return `${monitorsPath}${encodeURIComponent(id)}/`;
}

/** The members of a body that the input names. `ownBase`: where the service reaches this app's receiver. */
export function bodyOf(
  input: Partial<MonitorInput>,
  ownBase: () => string,
): Partial<Pick<MonitorBody, 'callback_uri' | 'geo'>> {
  return {
    ...(input.callback ? { callback_uri: callbackUri(input.callback, ownBase) } : {}),
    ...(input.geo ? { geo: input.geo } : {}),
  };
}

export function readBody<Schema extends z.ZodType>(response: HttpResponse, schema: Schema): Promise<z.infer<Schema>> {
  return readAs(
    response,
    schema,
    (host, problem) => `${host} returned monitors that the API spec does not allow: ${problem}.`,
  );
}

/** Describes which fields a write changes; `before` is undefined for a new monitor. */
export function fieldChanges(
  before: WireMonitor | undefined,
  body: Partial<Pick<MonitorBody, 'callback_uri' | 'geo'>>,
): FieldChange[] {
  const changes: FieldChange[] = [];
  const { callback_uri: address, geo } = body;
  if (address !== undefined && address !== before?.callback_uri)
    changes.push({ field: 'callback_uri', before: before?.callback_uri ?? null, after: address });
  if (geo && !(before && isSamePlace(geo, toLatLng(before.geo))))
    changes.push({ field: 'geo', before: before ? placeText(toLatLng(before.geo)) : null, after: placeText(geo) });
  return changes;
}

export function isSamePlace(one: LatLng, other: LatLng): boolean {
  return one.lat === other.lat && one.lng === other.lng;
}

export function placeText({ lat, lng }: LatLng): string {
  return `${lat}, ${lng}`;
}

function callbackUri(target: CallbackTarget, ownBase: () => string): string {
  if (target.kind === 'this-app') return `${ownBase()}/hooks/${shortName()}`;
  const url = URL.parse(target.uri);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (isHttp && !url.username && !url.password && target.uri.length <= callbackUriLimit) return target.uri;
  throw new AppFailure(
    'INVALID_INPUT',
    'The callback URL must be a full http:// or https:// URL without a username and password.',
    { field: 'callback.uri' },
  );
}

const nameLetters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Six letters that are easy to read aloud; each monitor gets a path of its own. */
function shortName(): string {
  return Array.from({ length: 6 }, () => nameLetters[randomInt(nameLetters.length)]).join('');
}
