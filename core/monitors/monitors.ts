// The monitors of the connected application (§4.5), joined with this app's receiver: whether a monitor calls here, and
// its newest callback.
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#contract/clock.ts';
import { collectionSchema } from '#contract/collection.ts';
import type { LatLng } from '#contract/geo.ts';
import { callbackUriLimit, monitorSchema, type MonitorBody } from '#contract/monitor.ts';
import type { AppMonitor, CallbackTarget } from '#contract/procedures/monitors.ts';
import { formatInstant } from '#contract/timestamp.ts';
import { toLatLng } from '#contract/geo.ts';
import { AppFailure } from '../app-failure.ts';
import { readJson } from '../connection/api-client.ts';
import type { ConnectionHolder } from '../connection/connection-holder.ts';
import { hostOf, type HttpExchange } from '../connection/http-exchange.ts';
import type { CallbackPages } from '../receiver/callback-pages.ts';
import type { Receiver } from '../receiver/receiver.ts';

export type MonitorInput = { geo: LatLng; callback: CallbackTarget };

export type Monitors = {
  /** Ids in the list as it was last fetched; undefined before that. */
  knownIds: () => ReadonlySet<string> | undefined;
  list(): Promise<{ monitors: AppMonitor[]; fetchedAt: string }>;
  create: (input: MonitorInput) => Promise<AppMonitor>;
  update: (id: string, changes: Partial<MonitorInput>) => Promise<AppMonitor>;
  replace: (id: string, input: MonitorInput) => Promise<AppMonitor>;
  delete: (id: string) => Promise<void>;
};

type Parts = {
  connection: ConnectionHolder;
  receiver: Pick<Receiver, 'state' | 'port'>;
  callbacks: Pick<CallbackPages, 'newestOf'>;
  clock: Clock;
  onChanged: () => void;
};

type WireMonitor = z.infer<typeof monitorSchema>;

export function createMonitors({ connection, receiver, callbacks, clock, onChanged }: Parts): Monitors {
  const toAppMonitor = (monitor: WireMonitor): AppMonitor => ({
    id: monitor.id,
    monitorType: monitor.monitor_type,
    callbackUri: monitor.callback_uri ?? null,
    toThisApp: callsThisApp(monitor.callback_uri, receiver.port()),
    geo: toLatLng(monitor.geo),
    uri: monitor.uri ?? null,
    lastCallback: callbacks.newestOf(monitor.id),
  });

  let knownIds: Set<string> | undefined;

  async function fetchList(): Promise<AppMonitor[]> {
    const { api } = await connection.current();
    const exchange = await api.call({ method: 'GET', path: '/v2/monitors/' });
    const { objects } = readBody(exchange, collectionSchema(monitorSchema));
    knownIds = new Set(objects.map((monitor) => monitor.id));
    return objects.map(toAppMonitor);
  }

  async function send(method: 'POST' | 'PUT', path: string, input: MonitorInput): Promise<AppMonitor> {
    const { api } = await connection.current();
    const json: MonitorBody = {
      monitor_type: 'precipitation',
      callback_uri: callbackUri(input.callback, receiver),
      geo: input.geo,
    };
    const exchange = await api.call({ method, path, json });
    const monitor = readBody(exchange, monitorSchema);
    knownIds?.add(monitor.id);
    onChanged();
    return toAppMonitor(monitor);
  }

  return {
    knownIds: () => knownIds,
    list: async () => ({ monitors: await fetchList(), fetchedAt: formatInstant(clock.now()) }),
    create: (input) => send('POST', '/v2/monitors/', input),
    replace: (id, input) => send('PUT', pathOf(id), input),
    async update(id, changes) {
      const { api } = await connection.current();
      const json: Partial<MonitorBody> = {
        ...(changes.callback ? { callback_uri: callbackUri(changes.callback, receiver) } : {}),
        ...(changes.geo ? { geo: changes.geo } : {}),
      };
      if (Object.keys(json).length === 0)
        throw new AppFailure('INVALID_INPUT', 'Nothing was changed.', { field: 'changes' });
      await api.call({ method: 'PATCH', path: pathOf(id), json });
      onChanged();
      const monitor = (await fetchList()).find((candidate) => candidate.id === id);
      if (monitor) return monitor;
      throw new AppFailure('NOT_FOUND', `The monitor ${id} was changed, but the service no longer lists it.`);
    },
    async delete(id) {
      const { api } = await connection.current();
      await api.call({ method: 'DELETE', path: pathOf(id) });
      knownIds?.delete(id);
      onChanged();
    },
  };
}

function pathOf(id: string): string {
  return `/v2/monitors/${encodeURIComponent(id)}/`;
}

function readBody<Schema extends z.ZodType>(exchange: HttpExchange, schema: Schema): z.infer<Schema> {
  const result = schema.safeParse(readJson(exchange));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AppFailure(
    'PROTOCOL',
    `${hostOf(exchange.request.url)} answered with monitors that the interface (§2.2) does not allow: ${issue?.path.join('.')} ${issue?.message}.`,
    { httpStatus: exchange.status },
  );
}

/** Whether an address leads to the receiver: this machine and its port, under any path. */
export function callsThisApp(uri: string | undefined, port: number | null): boolean {
  const url = URL.parse(uri ?? '');
  if (!url || port === null || !['http:', 'https:'].includes(url.protocol)) return false;
  const usualPort = url.protocol === 'https:' ? 443 : 80;
  return ['127.0.0.1', 'localhost'].includes(url.hostname) && Number(url.port || usualPort) === port;
}

function callbackUri(target: CallbackTarget, receiver: Pick<Receiver, 'state'>): string {
  if (target.kind === 'this-app') {
    const { baseUrl, notice } = receiver.state();
    if (baseUrl) return `${baseUrl}/hooks/${shortName()}`;
    throw new AppFailure('UNAVAILABLE', notice ?? 'The callback receiver is still starting. Try again in a moment.');
  }
  const url = URL.parse(target.uri);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (isHttp && !url.username && !url.password && target.uri.length <= callbackUriLimit) return target.uri;
  throw new AppFailure(
    'INVALID_INPUT',
    'The callback address must be a full http:// or https:// address without user name and password.',
    { field: 'callback.uri' },
  );
}

const nameLetters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Six letters that are easy to read aloud; each monitor gets a path of its own. */
function shortName(): string {
  return Array.from({ length: 6 }, () => nameLetters[randomInt(nameLetters.length)]).join('');
}
