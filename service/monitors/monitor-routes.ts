// The monitors API (docs/interface.md §4.5). The interface leaves some statuses open: POST returns 201 with Location, PUT and GET of one
// monitor 200.
import { collectionSchema, monitorBodySchema, monitorSchema } from '@rainbell/contract/service-api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StoreRefusal } from '../accounts/store-refusal.ts';
import type { Access, RequireBearer } from '../http/access.ts';
import { inPath, type Operation } from '../http/operation.ts';
import { etagOf, holdsAlready } from '../http/etag.ts';
import { ServiceError } from '../errors/service-error.ts';
import { parseMonitorBody, parseMonitorChanges, withoutAddress, type MonitorFields } from './monitor-body.ts';
import { monitorJson, monitorUri, type MonitorRow } from './monitor-json.ts';
import { createMonitorLists } from './monitor-list.ts';
import type { MonitorStore } from './monitor-store.ts';
import type { MonitorLimit } from '../accounts/plans.ts';

type Dependencies = {
  store: MonitorStore;
  requireBearer: RequireBearer;
  limitOf: (applicationId: string) => Promise<MonitorLimit>;
  /** Throws a ServiceError if a callback URL must not be called (docs/delivery.md S8, S9). `address`: of the client. */
  checkCallback: (callbackUri: string, address: string) => Promise<void>;
  /** A monitor is new or was moved: the weather there may already require an event. */
  onChange: () => void;
};

type OneMonitor = { Params: { monitor_id: string } };

export const monitorIdParameter = inPath(
  'monitor_id',
  'precipitation_1',
  "ID of one of the calling application's monitors.",
);

const monitorExample = JSON.stringify(
  { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:4545/rain', geo: { lat: 45.07, lng: 7.69 } },
  null,
  2,
);

const common = { group: 'Monitors', access: 'application', isTriable: true } as const;

export const listMonitors: Operation = {
  ...common,
  id: 'list-monitors',
  hasEtag: true,
  title: 'List monitors',
  description: "All of the calling application's monitors.",
  responses: [{ status: 200, meaning: 'A list of monitors.', schema: collectionSchema(monitorSchema) }],
};

export const createMonitor: Operation = {
  ...common,
  id: 'create-monitor',
  title: 'Create a monitor',
  description:
    'Registers a location and a callback URL. When precipitation comes near the location, the service sends a POST to the URL with ' +
    'the monitor as the body, at most once an hour. A username and password in the URL (https://user:password@host/path) are ' +
    'stored encrypted, sent as Authorization: Basic, and never returned.',
  body: { type: 'application/json', schema: monitorBodySchema, example: monitorExample },
  responses: [{ status: 201, meaning: 'The monitor.', schema: monitorSchema }],
};

export const getMonitor: Operation = {
  ...common,
  id: 'get-monitor',
  hasEtag: true,
  title: 'Get a monitor',
  description: "One of the calling application's monitors.",
  parameters: [monitorIdParameter],
  responses: [{ status: 200, meaning: 'The monitor.', schema: monitorSchema }],
};

export const replaceMonitor: Operation = {
  ...common,
  id: 'replace-monitor',
  title: 'Replace a monitor',
  description: 'Accepts the same fields as creating a monitor. A cool-down in progress continues.',
  parameters: [monitorIdParameter],
  body: { type: 'application/json', schema: monitorBodySchema, example: monitorExample },
  responses: [{ status: 200, meaning: 'The monitor.', schema: monitorSchema }],
};

const changeMonitor: Operation = {
  ...common,
  id: 'change-monitor',
  title: 'Change a monitor',
  description: 'Accepts any of the fields. The response has no body.',
  parameters: [monitorIdParameter],
  body: {
    type: 'application/json',
    schema: monitorBodySchema.partial(),
    example: JSON.stringify({ callback_uri: 'http://127.0.0.1:4545/other' }),
  },
  responses: [{ status: 202, meaning: 'The monitor was changed.' }],
};

const deleteMonitor: Operation = {
  ...common,
  id: 'delete-monitor',
  title: 'Delete a monitor',
  description: 'Deletes the monitor and cancels its pending events. The response has no body.',
  parameters: [monitorIdParameter],
  responses: [{ status: 204, meaning: 'The monitor was deleted.' }],
};

export function registerMonitorRoutes(server: FastifyInstance, needs: Dependencies): void {
  const { store, limitOf, checkCallback, onChange } = needs;
  const listOf = createMonitorLists(store);
  const preHandler = [needs.requireBearer, requireOwnCredentials];
  const all = '/v2/monitors/';
  const one = '/v2/monitors/:monitor_id/';

  server.get(all, { preHandler, config: { operation: listMonitors } }, async (request, reply) => {
    return sendConditionally(request, reply, await listOf(request.access.applicationId));
  });

  server.post(all, { preHandler, config: { operation: createMonitor } }, async (request, reply) => {
    const fields = parseMonitorBody(withoutAddress(request.body));
    await checkCallback(fields.callback_uri, request.ip);
    const row = await create(store, limitOf, request.access, fields);
    onChange();
    return sendJson(reply.code(201).header('location', monitorUri(row.id)), monitorJson(row));
  });

  server.get<OneMonitor>(one, { preHandler, config: { operation: getMonitor } }, async (request, reply) => {
    const row = found(await store.find(request.access.applicationId, request.params.monitor_id));
    const json = monitorJson(row);
    return sendConditionally(request, reply, { json, etag: etagOf(json) });
  });

  server.put<OneMonitor>(one, { preHandler, config: { operation: replaceMonitor } }, async (request, reply) => {
    const fields = parseMonitorBody(await bodyOfOwn(store, request));
    await checkCallback(fields.callback_uri, request.ip);
    const row = await changed(store, request, fields);
    onChange();
    return sendJson(reply, monitorJson(row));
  });

  server.patch<OneMonitor>(one, { preHandler, config: { operation: changeMonitor } }, async (request, reply) => {
    const changes = parseMonitorChanges(await bodyOfOwn(store, request));
    if (changes.callback_uri !== undefined) await checkCallback(changes.callback_uri, request.ip);
    await changed(store, request, changes);
    onChange();
    return reply.code(202).type('text/html; charset=utf-8').send('');
  });

  server.delete<OneMonitor>(one, { preHandler, config: { operation: deleteMonitor } }, async (request, reply) => {
    if (!(await store.remove(request.access.applicationId, request.params.monitor_id))) throw notFound();
    return reply.code(204).header('content-length', '0').send();
  });
}

/** docs/interface.md §5.7: monitors belong to the application, so a user's token has no access to them. */
export async function requireOwnCredentials(request: FastifyRequest): Promise<void> {
  if (request.access.kind === 'client_credentials') return;
  throw new ServiceError(
    'insufficient_scope',
    `Monitors require a token from the client credentials grant; this one came from the ${request.access.kind} grant. Get one from POST /token/ with grant_type=client_credentials.`,
    { headers: { 'www-authenticate': 'Bearer realm="Rainbell", error="insufficient_scope"' } },
  );
}

/** Serialized here instead of by Fastify, so that the list, the single response, and the callback have identical bytes. */
function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

type Tagged = { json: string | Buffer; etag: string };

/** Sends 304 if the client already has this JSON (RFC 9110 section 13.1.2). */
function sendConditionally(request: FastifyRequest, reply: FastifyReply, { json, etag }: Tagged): FastifyReply {
  void reply.header('etag', etag).header('cache-control', 'private, no-cache');
  return holdsAlready(request.headers['if-none-match'], etag) ? reply.code(304).send() : sendJson(reply, json);
}

/** Rejects another application's or an unknown ID before it reads the body. */
async function bodyOfOwn(store: MonitorStore, request: FastifyRequest<OneMonitor>): Promise<unknown> {
  const row = found(await store.find(request.access.applicationId, request.params.monitor_id));
  return withoutAddress(request.body, { id: row.id, uri: monitorUri(row.id) });
}

async function changed(
  store: MonitorStore,
  request: FastifyRequest<OneMonitor>,
  changes: Partial<MonitorFields>,
): Promise<MonitorRow> {
  return found(await store.change(request.access.applicationId, request.params.monitor_id, changes));
}

async function create(
  store: MonitorStore,
  limitOf: Dependencies['limitOf'],
  { applicationId }: Access,
  fields: MonitorFields,
): Promise<MonitorRow> {
  const { limit, plan, account } = await limitOf(applicationId);
  const row = await store.create(applicationId, fields, limit, account).catch((error: unknown) => {
    if (!(error instanceof StoreRefusal)) throw error;
    if (error.kind === 'unknown') throw new ServiceError('access_denied', 'This application was deleted.');
    throw new ServiceError(
      'limit_reached',
      `This account has reached its monitor limit across all applications (${account?.limit ?? 0}). ` +
        'Delete some monitors, or ask the operator of the service for a higher limit.',
    );
  });
  if (row) return row;
  throw new ServiceError(
    'limit_reached',
    `This application has reached ${plan ? `the monitor limit of the ${plan} plan` : 'its monitor limit'} (${limit}). ` +
      'Delete a monitor, or choose a larger plan on the developer website.',
  );
}

/** Returns the monitor; throws 404 if this application does not have it. */
export function found(row: MonitorRow | undefined): MonitorRow {
  if (!row) throw notFound();
  return row;
}

function notFound(): ServiceError {
  return new ServiceError(
    'not_found',
    'This application has no monitor with that ID. GET /v2/monitors/ lists the ones it has.',
  );
}
