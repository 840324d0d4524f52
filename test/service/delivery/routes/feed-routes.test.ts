// GET /v2/deliveries/ without a database: what a query means, and when a request waits (docs/feed.md).
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FeedPage } from '#contract/service-api/feed.ts';
import { type FeedCursor, formatFeedCursor } from '#service/monitors/feed/feed.ts';
import { registerFeedRoutes } from '#service/monitors/feed/feed-routes.ts';
import { ServiceError } from '#service/errors/service-error.ts';

const hourMs = 3_600_000;
const reached: FeedCursor = { position: 7, id: 'evt_7', completeAt: 5 * hourMs };
const empty: FeedPage = { objects: [], meta: { cursor: formatFeedCursor(reached), has_more: false, has_gap: false } };
const event = {
  id: 'evt_8',
  monitor_id: 'm1',
  occurred_at: '2026-11-21T06:00:00',
  callback_uri: 'https://hooks.example/rain',
  headers: {},
  body: '{}',
};
const full = { ...empty, objects: [event] };

/** Returns `pages` one after another. */
function start(pages: FeedPage[] = [empty, full], { isStillValid = true, hangsUp = false } = {}) {
  const calls: unknown[][] = [];
  let isAborted: boolean | undefined;
  let raw: FastifyReply['raw'] | undefined;
  const server = Fastify();
  onTestFinished(() => server.close());
  server.setErrorHandler<ServiceError>((error, _request, reply) =>
    reply.code(error.status ?? 500).send({ error: error.code, error_description: error.message }),
  );
  registerFeedRoutes(server, {
    feed: {
      async read(...parts) {
        calls.push(['read', ...parts]);
        return pages.shift() ?? empty;
      },
      async end(applicationId) {
        calls.push(['end', applicationId]);
        return reached;
      },
      findReady: async () => [],
    },
    waits: {
      async wait({ applicationId, ownerId }, place, ms, signal) {
        calls.push(['wait', applicationId, ownerId, place, ms]);
        if (hangsUp) raw?.emit('close');
        isAborted = signal.aborted;
      },
      wake() {},
      close() {},
    },
    noteReader: async (applicationId) => void calls.push(['note', applicationId]),
    preHandler: [
      async (request: FastifyRequest, reply: FastifyReply) => {
        raw = reply.raw;
        if (request.headers.authorization === undefined) throw new ServiceError('invalid_token', 'no token');
        request.access = { applicationId: 'a', ownerId: 'owner' } as FastifyRequest['access'];
      },
    ],
    isStillValid: async () => isStillValid,
  });
  async function read(query = '', method: 'GET' | 'HEAD' = 'GET') {
    return server.inject({ method, url: `/v2/deliveries/${query}`, headers: { authorization: 'x' } });
  }
  return { server, calls, read, wasAborted: () => isAborted };
}

const note = ['note', 'a'];

describe('the feed', () => {
  it('starts with the oldest event, in pages of 100', async () => {
    const { calls, read } = start([full]);
    const response = await read();
    expect([response.statusCode, response.json()]).toEqual([200, full]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(calls).toEqual([note, ['read', 'a', undefined, 100]]);
  });

  it('continues after a cursor', async () => {
    const { calls, read } = start([full]);
    await read(`?after=${formatFeedCursor(reached)}&limit=500`);
    expect(calls).toEqual([note, ['read', 'a', reached, 500]]);
  });

  it('ends now', async () => {
    const { calls, read } = start();
    expect((await read('?after=now')).json()).toEqual(empty);
    expect(calls).toEqual([note, ['end', 'a']]);
  });

  it('requires a token', async () => {
    const { server, calls } = start();
    expect((await server.inject('/v2/deliveries/')).statusCode).toBe(401);
    expect(calls).toEqual([]);
  });
});

describe('a request without events', () => {
  it.each([
    ['', 55_000],
    ['?wait=1', 1_000],
    ['?wait=55', 55_000],
  ])('waits, then reads again: %s', async (query, ms) => {
    const { calls, read, wasAborted } = start();
    expect((await read(query)).json()).toEqual(full);
    expect(calls.slice(1)).toEqual([
      ['read', 'a', undefined, 100],
      ['wait', 'a', 'owner', reached, ms],
      ['read', 'a', reached, 100],
    ]);
    expect(wasAborted()).toBe(false);
  });

  it.each([
    ['that is not to wait', '?wait=0', 'GET', empty],
    ['of method HEAD', '', 'HEAD', empty],
    ['after a gap', '', 'GET', { ...empty, meta: { ...empty.meta, has_gap: true } }],
  ] as const)('%s does not wait', async (_which, query, method, page) => {
    const { calls, read } = start([page]);
    expect((await read(query, method)).statusCode).toBe(200);
    expect(calls).toEqual([note, ['read', 'a', undefined, 100]]);
  });

  it('ends its wait when its client hangs up', async () => {
    const { calls, read, wasAborted } = start([empty], { hangsUp: true });
    await expect(read()).rejects.toThrow('destroyed');
    await new Promise((done) => void setImmediate(done));
    // Nothing is read for it anymore.
    expect([wasAborted(), calls.length]).toEqual([true, 3]);
  });

  it('ends with an error if its token ended meanwhile', async () => {
    const { calls, read } = start([empty], { isStillValid: false });
    const response = await read();
    expect([response.statusCode, response.json()]).toEqual([
      401,
      { error: 'invalid_token', error_description: expect.stringContaining('expired or was revoked') },
    ]);
    expect(calls).toHaveLength(3);
  });
});

describe('a query', () => {
  const [waitRule, limitRule] = ['a whole number of seconds from 0 to 55.', 'a whole number from 1 to 500.'];

  it.each([
    ['wait=56', `wait must be ${waitRule}`],
    ['wait=-1', `wait must be ${waitRule}`],
    ['wait=1.5', `wait must be ${waitRule}`],
    ['wait=', `wait must be ${waitRule}`],
    ['wait=00001', `wait must be ${waitRule}`],
    ['wait=1&wait=2', `wait must be ${waitRule}`],
    ['limit=0', `limit must be ${limitRule}`],
    ['limit=501', `limit must be ${limitRule}`],
    ['after=now&after=now', 'after must appear at most once.'],
    ['after=yesterday', 'after must be "now" or the meta.cursor of an earlier response.'],
  ])('%s is refused', async (query, description) => {
    const { read } = start();
    const response = await read(`?${query}`);
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: description },
    ]);
  });

  it.each([
    ['limit=1&wait=0', 1],
    ['limit=0500&wait=0000', 500],
    ['unknown=1&wait=0', 100],
  ])('%s is accepted', async (query, limit) => {
    const { calls, read } = start();
    expect((await read(`?${query}`)).statusCode).toBe(200);
    expect(calls.at(-1)).toEqual(['read', 'a', undefined, limit]);
  });
});
