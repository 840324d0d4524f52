// Monitors on the wire (docs/interface.md §2.2, §4.5): their paths, what a client writes, and how an answer is read.
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { formatSchemaError, parseCallbackAddress } from '@rainbell/shared';
import {
  collectionSchema,
  type LatLng,
  type MonitorBody,
  type MonitorOptions,
  monitorSchema,
  type OptionChanges,
} from '@rainbell/contract/service-api';
import type { CallbackTarget } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { type ApiClient, readAs } from '../connection/api-client.ts';
import type { HttpResponse } from '../http/http-sender.ts';

export type WireMonitor = z.infer<typeof monitorSchema>;
export type MonitorInput = { geo: LatLng; callback: CallbackTarget; options?: MonitorOptions | undefined };
type WrittenBody = Partial<Pick<MonitorBody, 'callback_uri' | 'geo'>> & OptionChanges;

export const monitorsPath = '/v2/monitors/';

export function pathOf(id: string): string {
  return `${monitorsPath}${encodeURIComponent(id)}/`;
}

/** The members of a body that the input names. `ownBase`: where the service reaches this app's receiver. */
export function bodyOf(input: Partial<MonitorInput>, ownBase: () => string): WrittenBody {
  return {
    ...(input.callback ? { callback_uri: callbackUri(input.callback, ownBase) } : {}),
    ...(input.geo ? { geo: input.geo } : {}),
    ...input.options,
  };
}

export function readBody<Schema extends z.ZodType>(response: HttpResponse, schema: Schema): Promise<z.infer<Schema>> {
  return readAs(response, schema, 'monitors that the API spec does not allow');
}

export type MonitorList = { monitors: WireMonitor[]; problems: string[] };

const maxPages = 1000;

/** Reads monitor by monitor, so that an odd one does not hide the others, and all pages of a service that divides the list. */
export async function fetchMonitors(api: ApiClient, signal: AbortSignal | undefined): Promise<MonitorList> {
  const list: MonitorList = { monitors: [], problems: [] };
  let path: string | undefined = monitorsPath;
  for (let page = 0; path !== undefined && page < maxPages; page += 1) {
    const response: HttpResponse = await api.call({ method: 'GET', path, signal });
    const { objects, meta } = await readBody(response, collectionSchema(z.unknown()));
    for (const [index, entry] of objects.entries()) {
      const { data, error } = monitorSchema.safeParse(entry);
      if (data) list.monitors.push(data);
      else list.problems.push(unreadable(index, entry, error));
    }
    const next = z.string().safeParse(meta?.['next']).data;
    const url = next === undefined || objects.length === 0 ? null : URL.parse(next, response.request.url);
    path = url?.pathname.endsWith(monitorsPath) ? monitorsPath + url.search : undefined;
  }
  return list;
}

function unreadable(index: number, entry: unknown, { issues }: z.ZodError): string {
  const { id } = z.object({ id: z.string().max(100) }).safeParse(entry).data ?? {};
  const what = `Monitor ${index + 1} of the list${id === undefined ? '' : ` (${id})`}`;
  return `${what} can’t be shown, because the API spec does not allow it: ${formatSchemaError(issues[0], entry, 'it')}.`;
}

function callbackUri(target: CallbackTarget, ownBase: () => string): string {
  if (target.kind === 'this-app') return `${ownBase()}/hooks/${shortName()}`;
  const address = parseCallbackAddress(target.uri);
  if (address.ok) return address.value;
  throw new AppFailure('INVALID_INPUT', address.problem, { field: 'callback.uri' });
}

const nameLetters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Six letters that are easy to read aloud; each monitor gets a path of its own. */
function shortName(): string {
  return Array.from({ length: 6 }, () => nameLetters[randomInt(nameLetters.length)]).join('');
}
