// The record of events over HTTP: an extension of the interface.
import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { parseTimestamp } from '@rainbell/shared';
import {
  eventPageSchema,
  eventPageSizes,
  eventStates,
  formatEventsCsv,
  frontListSchema,
} from '@rainbell/contract/service-api';
import { inQuery, type Operation } from '../../http/operation.ts';
import { readQuery, wholeNumber } from '../../http/query.ts';
import type { EventFilter, EventRecords } from './event-record.ts';
import type { Fronts } from './fronts.ts';

export const listEvents: Operation = {
  id: 'list-events',
  group: 'Delivery',
  access: 'application',
  isTriable: true,
  title: 'List events',
  description:
    "The record of the calling application's events of the last 30 days, newest first: why each fired, every attempt with its " +
    'request and response, and how it ended. Each event is in exactly one state. A page can be short or empty although older ' +
    'events follow: continue until meta.next is null.',
  parameters: [
    inQuery('from', '2026-11-28T00:00:00', 'Events of this time or later.'),
    inQuery('to', '2026-11-29T00:00:00', 'Events before this time.'),
    inQuery('monitor', 'precipitation_1', 'The ID of a monitor, also of a deleted one.'),
    inQuery('state', 'failed,expired', `One or more of ${eventStates.join(', ')}, separated by commas.`),
    inQuery('host', 'hooks.example.com', 'The host of the callback URL, with or without its port.'),
    inQuery('front', 'evt_019a1b2c3d4e', 'The ID of a rain front.'),
    inQuery('before', '1200', 'The meta.next of the last response.'),
    inQuery(
      'limit',
      eventPageSizes.default,
      `Maximum number of events in the response, at most ${eventPageSizes.max} (default: ${eventPageSizes.default}).`,
      z.int().min(1).max(eventPageSizes.max).optional(),
    ),
    inQuery('format', 'json', 'csv for one line per event, with the next page in the Link header (default: json).'),
  ],
  responses: [{ status: 200, meaning: 'Events, newest first.', schema: eventPageSchema, hasCsv: true }],
};

export const listFronts: Operation = {
  id: 'list-fronts',
  group: 'Delivery',
  access: 'application',
  isTriable: true,
  title: 'List rain fronts',
  description:
    "The calling application's rain fronts, newest first, at most 200: events of at least three monitors, of which each is at most " +
    'two hours and about 100 km from another one. A front that is partly in the time range is shown whole.',
  parameters: [
    inQuery('from', '2026-11-28T00:00:00', 'Fronts with events of this time or later (default: 24 hours before to).'),
    inQuery('to', '2026-11-29T00:00:00', 'Fronts with events before this time (default: now).'),
  ],
  responses: [{ status: 200, meaning: 'Fronts, newest first.', schema: frontListSchema }],
};

const time = (name: string) =>
  z
    .string()
    .transform((text) => parseTimestamp(text))
    .pipe(z.number({ error: `${name} must be a time such as 2026-11-28T00:00:00` }))
    .optional();
const querySchema = z.object({
  from: time('from'),
  to: time('to'),
  monitor: z.string({ error: 'monitor must appear at most once' }).max(100, 'monitor must be an ID').optional(),
  state: z
    .string({ error: 'state must appear at most once' })
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(eventStates, { error: `state must be one or more of ${eventStates.join(', ')}` })))
    .optional(),
  host: z.string({ error: 'host must appear at most once' }).max(260, 'host must be a host name').optional(),
  front: z.string({ error: 'front must appear at most once' }).max(100, 'front must be an ID').optional(),
  before: wholeNumber('before', 1, Number.MAX_SAFE_INTEGER).optional(),
  limit: wholeNumber('limit', 1, eventPageSizes.max).default(eventPageSizes.default),
  format: z.enum(['json', 'csv'], { error: 'format must be json or csv' }).default('json'),
});

const frontsQuerySchema = querySchema.pick({ from: true, to: true });

type Needs = {
  records: EventRecords;
  fronts: Fronts;
  /** Accepts an application token. */
  preHandler: preHandlerAsyncHookHandler[];
};

export function registerEventRoutes(server: FastifyInstance, { records, fronts, preHandler }: Needs): void {
  server.get('/v2/events/', { preHandler, config: { operation: listEvents } }, async (request, reply) => {
    const { format, front, ...filter } = readEventQuery(request.query);
    const { applicationId } = request.access;
    const ids = front === undefined ? undefined : ((await fronts.eventsOf(applicationId, front)) ?? []);
    const page = await records.page({ ...filter, applicationId, ids });
    reply.header('cache-control', 'no-store');
    if (format === 'json') return reply.send(page);
    const next = new URL(request.url, 'http://service');
    if (page.meta.next !== null) {
      next.searchParams.set('before', page.meta.next);
      reply.header('link', `<${next.pathname}${next.search}>; rel="next"`);
    }
    return reply.type('text/csv; charset=utf-8').send(formatEventsCsv(page.objects));
  });

  server.get('/v2/fronts/', { preHandler, config: { operation: listFronts } }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return fronts.list(request.access.applicationId, readQuery(frontsQuerySchema, request.query));
  });
}

/** Throws a ServiceError. */
export function readEventQuery(query: unknown): EventFilter & { format: 'json' | 'csv'; front?: string | undefined } {
  return readQuery(querySchema, query);
}
