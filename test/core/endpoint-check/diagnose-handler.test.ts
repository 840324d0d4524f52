// Handlers with one bug each, and right ones: the bug is named, and no right handler is blamed.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { checkCaseIds } from '#contract/app-rpc/check-cases.ts';
import { createSendGuard } from '#core/http/send-guard.ts';
import { createCheckSender } from '#core/endpoint-check/check-sender.ts';
import { diagnoseHandler } from '#core/endpoint-check/diagnose-handler.ts';
import { plainTransport } from '#core/http/transport.ts';
import { senderOf, senderRows, standardWebhooks } from '#core/senders/sender-rows.ts';
import { readSenderRequest } from '#core/senders/sender-request.ts';
import { sampleRequest, signRequest } from '#core/senders/sign-request.ts';
import { recognizeSender, verifySender } from '#core/senders/verify-sender.ts';
import { systemClock } from '#shared/time/clock.ts';
import { listen } from '#test/setup/listen.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const key = Buffer.from(secret.slice(6), 'base64');

type Reply = number | { status: number; headers?: Record<string, string>; body?: string } | 'none' | 'die';
type Seen = {
  id: string;
  time: string;
  header: string;
  body: Buffer;
  method: string;
  headers: IncomingMessage['headers'];
};
type State = { begun: Set<string>; done: Set<string>; newest: number; count: number; isDead: boolean };

/** A right handler, unless a part of it is replaced. */
type Parts = {
  key?: Buffer | string;
  hash?: string;
  text?: (seen: Seen) => Buffer | string;
  entries?: (header: string) => string[];
  write?: (hash: Buffer) => string;
  tolerance?: number;
  ok?: Reply;
  bad?: Reply;
  /** Before anything else. */
  before?: (seen: Seen, state: State) => Reply | undefined;
  /** After the check. */
  after?: (seen: Seen, state: State) => Reply | undefined;
  isChecked?: boolean;
  /** Responds before the body arrived. */
  isEarly?: boolean;
  /** Gives up on a body that takes longer than other bodies on a busy machine. */
  bodyMs?: number;
  /** Before the body. */
  begin?: (id: string, state: State) => Reply | undefined;
  delayMs?: number;
  expect?: number;
};

function respond(parts: Parts, seen: Seen, state: State): Reply {
  const early = parts.before?.(seen, state);
  if (early !== undefined) return early;
  const { ok = 204, bad = 401 } = parts;
  if (seen.method !== 'POST') return 405;
  if (parts.isChecked !== false) {
    if (!/^\d+$/.test(seen.time) || Math.abs(Date.now() / 1000 - Number(seen.time)) > (parts.tolerance ?? 300))
      return bad;
    const text = parts.text?.(seen) ?? Buffer.concat([Buffer.from(`${seen.id}.${seen.time}.`), seen.body]);
    const hash = createHmac(parts.hash ?? 'sha256', parts.key ?? key)
      .update(text)
      .digest();
    const expected = parts.write?.(hash) ?? `v1,${hash.toString('base64')}`;
    const entries = parts.entries?.(seen.header) ?? seen.header.split(' ');
    if (!entries.includes(expected)) return bad;
  }
  const after = parts.after?.(seen, state);
  if (after !== undefined) return after;
  state.done.add(seen.id);
  return ok;
}

async function serve(parts: Parts): Promise<string> {
  const state: State = { begun: new Set(), done: new Set(), newest: 0, count: 0, isDead: false };
  const send = (response: ServerResponse, reply: Reply) => {
    if (reply === 'die') state.isDead = true;
    if (reply === 'none' || reply === 'die') return response.destroy();
    const { status, headers = {}, body = '' } = typeof reply === 'number' ? { status: reply } : reply;
    response.writeHead(status, headers).end(body);
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (state.isDead) return request.destroy();
    state.count += 1;
    if (parts.isEarly) send(response, parts.ok ?? 200);
    const early = parts.begin?.(String(request.headers['webhook-id']), state);
    if (early !== undefined) return send(response, early);
    if (parts.bodyMs !== undefined) request.setTimeout(parts.bodyMs, () => send(response, 408));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      if (parts.isEarly) return;
      const { headers, method = '' } = request;
      const [id = '', time = '', header = ''] = ['id', 'timestamp', 'signature'].map((name) =>
        String(headers[`webhook-${name}`] ?? ''),
      );
      const reply = respond(parts, { id, time, header, body: Buffer.concat(chunks), method, headers }, state);
      if (parts.delayMs) setTimeout(() => send(response, reply), parts.delayMs);
      else send(response, reply);
    });
  };
  const server = createServer(handle);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (parts.expect) return response.writeHead(parts.expect).end();
    response.writeContinue();
    handle(request, response);
  });
  const port = await listen(server);
  return `http://127.0.0.1:${port}/hook`;
}

async function diagnose(parts: Parts, responseMs = 60_000, slowBodyMs = 60, profile = standardWebhooks) {
  const url = await serve(parts);
  const sender = createCheckSender({
    clock: systemClock,
    guard: createSendGuard({ adminPorts: () => [] }),
    authority: () => undefined,
    transport: () => plainTransport,
    timing: { responseMs, slowBodyMs, continueMs: 500, brokenOffMs: 50 },
  });
  const named = { url, profile, secret, monitorId: null };
  return diagnoseHandler({ ...named, send: sender.send, responseMs, clock: systemClock });
}

const signed =
  (change: (seen: Seen) => string | Buffer) =>
  ({ id, time, ...rest }: Seen) =>
    Buffer.concat([Buffer.from(`${id}.${time}.`), Buffer.from(change({ id, time, ...rest }))]);
const rewritten = (write: (value: unknown) => string): Parts => ({
  text: signed(({ body }) => {
    try {
      return write(JSON.parse(body.toString()));
    } catch {
      return body;
    }
  }),
});
const pythonText = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(pythonText).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .map(([name, one]) => `${JSON.stringify(name)}: ${pythonText(one)}`)
          .join(', ')}}`
      : JSON.stringify(value);
const html = (status: number): Reply => ({ status, headers: { 'content-type': 'text/html' }, body: '<form>' });
const known = new Set(['uri', 'geo', 'id', 'callback_uri', 'monitor_type', 'padding']);
const hasUnknown = ({ body }: Seen) =>
  Object.keys(JSON.parse(body.toString()) as object).some((one) => !known.has(one));
const isForged = ({ id, time, header, body }: Seen) =>
  !header.includes(createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64'));
const isLarge = ({ body }: Seen) => body.length > 65_536;
const isOfGoneMonitor = ({ body }: Seen) => body.includes('precipitation_9');

type When = (seen: Seen, state: State) => boolean;

/** Replies so before anything else. */
const first = (reply: Reply, when: When = () => true): Parts => ({
  before: (seen, state) => (when(seen, state) ? reply : undefined),
});
/** Replies so to events whose signature is right. */
const later = (reply: Reply, when: When): Parts => ({
  after: (seen, state) => (when(seen, state) ? reply : undefined),
});

function isBroken({ body, method }: Seen): boolean {
  try {
    if (method === 'POST') JSON.parse(body.toString());
    return false;
  } catch {
    return true;
  }
}

function isOutOfOrder({ time }: Seen, state: State): boolean {
  const isOld = Number(time) < state.newest;
  state.newest = Math.max(state.newest, Number(time));
  return isOld;
}

const storingFirst: Parts = {
  begin(id, { begun, done }) {
    if (begun.has(id) && !done.has(id)) return 409;
    begun.add(id);
    return undefined;
  },
};
const milliseconds: Parts = {
  text: ({ id, time, body }) => `${id}.${time}.${body.toString()}`,
  ...first(401, ({ time }) => Math.abs(Date.now() - Number(time)) > 300_000),
  tolerance: Infinity,
};
const github: Parts = {
  key: secret,
  text: ({ body }) => body,
  write: (hash) => `sha256=${hash.toString('hex')}`,
};
const comparingBeginning: Parts = {
  entries: (header) => header.split(' ').map((entry) => entry.slice(0, 20)),
  write: (hash) => `v1,${hash.toString('base64')}`.slice(0, 20),
};
const isUnderOtherName = ({ headers }: Seen) => headers['x-webhook-signature'] !== undefined;
const isPast = ({ time }: Seen) => Date.now() / 1000 - Number(time) > 300;

const faulty: [string, string, Parts][] = [
  ['accepts any signature', 'any-signature', { before: ({ header }) => (header === '' ? 401 : 204) }],
  ['accepts a missing signature', 'missing-signature', first(204, ({ header }) => header === '')],
  ['checks nothing', 'no-check', { isChecked: false }],
  ['accepts old events', 'no-age', { tolerance: Infinity }],
  ['tolerates an hour', 'wide-tolerance', { tolerance: 3600 }],
  ['reads the first signature only', 'first-signature-only', { entries: (header) => header.split(' ').slice(0, 1) }],
  ['compares the whole header', 'whole-header', { entries: (header) => [header] }],
  ['422 for an unknown field', 'unknown-field', later(422, hasUnknown)],
  ['crashes at 1 MB', 'large-body', first('die', isLarge)],
  ['500 for a duplicate', 'duplicate', later(500, ({ id }, { done }) => done.has(id))],
  ['refuses what is out of order', 'order', later(400, isOutOfOrder)],
  ['500 for a bad signature', 'error-on-bad-signature', first(500, (seen) => seen.header !== '' && isForged(seen))],
  ['some events get 429', 'rate-limit', first(429, (_, { count }) => count % 5 === 4)],
  ['500 without headers', 'error-on-missing-headers', first(500, ({ header }) => header === '')],
  ['ends without headers', 'error-on-missing-headers', first('none', ({ header }) => header === '')],
  ['one event per monitor', 'valid-refused', later(409, (_, { done }) => done.size > 0)],
  ['a login page', 'html-page', first(html(200))],
  ['417 for Expect', 'expect', { expect: 417 }],
  ['500 for a gone monitor', 'unknown-monitor', later(500, isOfGoneMonitor)],
  ['responds before the body', 'before-body', { isEarly: true }],
  ['stores the ID before the body', 'retry', storingFirst],
  ['another secret', 'other-secret', { key: 'another' }],
  ['the secret not decoded', 'signature:secret-not-decoded', { key: secret }],
  ['the ID is ignored', 'signature:id-missing', { text: ({ time, body }) => `${time}.${body.toString()}` }],
  ['hexadecimal digits', 'signature:signature-hex', { write: (hash) => `v1,${hash.toString('hex')}` }],
  ['as GitHub', 'signature:secret-not-decoded+body-only+signature-version+signature-hex', github],
  ['Python writes it again', 'signature:json-reserialized', rewritten(pythonText)],
  ['redirects', 'redirect', first({ status: 308, headers: { location: '/hook/' } })],
  ['redirects to a login', 'login-redirect', first({ status: 302, headers: { location: '/login' } })],
  ['always 500', 'always-error', first(500)],
  ['always 401', 'other-secret', first(401)],
  ['always 404', 'not-found', first(404)],
  ['writes it again, compact', 're-serializes', rewritten((value) => JSON.stringify(value))],
  ['parses first', 'parses-first', first(400, isBroken)],
  ['GET', 'accepts-get', first(200, ({ method }) => method === 'GET')],
  ['milliseconds', 'signature:milliseconds', milliseconds],
  ['SHA-1', 'signature:wrong-algorithm', { hash: 'sha1' }],
  ['has no secret', 'signature:secret-empty', { key: '' }],
  ['trims the body', 'trims', { text: signed(({ body }) => body.toString().trim()) }],
  ['compares the beginning', 'partial-signature', comparingBeginning],
  ['accepts the future', 'from-future', { tolerance: Infinity, ...first(401, isPast) }],
  ['reads x-webhook-signature', 'signature:other-headers', first(401, (seen) => !isUnderOtherName(seen))],
  ['reads the body as Latin-1', 'charset', { text: signed(({ body }) => body.toString('latin1')) }],
];

test.each(faulty)('names the bug: %s', async (_, cause, parts) => {
  const { problems } = await diagnose(parts);
  expect(problems.map(({ does }) => does).join(' ')).not.toContain('127.0.0.1');
  // One that it accepts unsigned, it accepts from a browser, too.
  expect(problems.map((problem) => problem.cause).filter((one) => one !== 'accepts-get' || one === cause)).toEqual([
    cause,
  ]);
});

test('names a handler that gives up on a slow body', async () => {
  const { problems, cases } = await diagnose({ bodyMs: 1000 }, 60_000, 60_000);
  expect(problems.map(({ cause }) => cause)).toEqual(['slow-body']);
  expect(cases.filter(({ result }) => result === 'failed')).toEqual([expect.objectContaining({ case: 'slow' })]);
});

test.each([
  ['right', 'hex', []],
  ['with a hash in base64', 'base64', ['signature:signature-base64']],
] as const)('names the bug of a handler of Stripe’s events: %s', async (_, form, causes) => {
  const before = ({ headers, body, method }: Seen) => {
    const [, time = '', rest = ''] = /^t=(\d+),(.*)$/.exec(String(headers['stripe-signature'])) ?? [];
    const hash = createHmac('sha256', secret).update(`${time}.`).update(body).digest(form);
    const isInTime = Math.abs(Date.now() / 1000 - Number(time)) <= 300;
    return method === 'POST' && isInTime && rest.split(',').includes(`v1=${hash}`) ? 200 : 400;
  };
  const { problems } = await diagnose({ before }, 60_000, 60, senderOf('stripe'));
  expect(problems.map(({ cause }) => cause)).toEqual(causes);
});

test('names a handler that takes too long, and one that does not respond in time', async () => {
  expect((await diagnose({ delayMs: 1300 }, 2000)).problems[0]).toMatchObject({
    cause: 'slow',
    does: expect.stringContaining('1.'),
  });
  expect((await diagnose({ delayMs: 30_000 }, 300)).problems).toEqual([expect.objectContaining({ cause: 'slow' })]);
});

const isOfOtherType = ({ headers, method }: Seen) =>
  method === 'POST' && headers['content-type'] !== 'application/json';

const right: [string, Parts][] = [
  ['202', { ok: 202 }],
  ['204', {}],
  ['403 for a bad signature', { bad: 403 }],
  ['413', first(413, isLarge)],
  ['a strict type', first(415, isOfOtherType)],
  ['an idempotent one', later(200, ({ id }, { done }) => done.has(id))],
  ['410 for an unknown monitor', later(410, isOfGoneMonitor)],
  ['an HTML page for a GET', first(html(404), ({ method }) => method === 'GET')],
];

test.each(right)('blames no right handler: %s', async (_, parts) => {
  const { problems, cases } = await diagnose(parts);
  expect(problems).toEqual([]);
  expect(cases.map(({ result }) => result)).toEqual(checkCaseIds.map(() => 'passed'));
});

test('says what to do, with an example in the language of the handler', async () => {
  const headers = { 'x-powered-by': 'Express' };
  const before = ({ header }: Seen) => (header === '' ? { status: 401, headers } : { status: 204, headers });
  const { problems, example } = await diagnose({ before });
  expect(problems[0]).toMatchObject({ does: 'It accepts any signature.', should: expect.stringContaining('401') });
  expect(example?.split('\n')).toHaveLength(10);
});

test('samples of every sender that signs in a header are recognized, and their signatures verify', () => {
  const now = 1_780_000_000_000;
  const of = (id: string) =>
    id === 'adyen'
      ? 'ab'.repeat(32)
      : ['airtable', 'svix', 'standard-webhooks'].includes(id)
        ? secret.slice(6)
        : 'text';
  const failed = senderRows.filter((row) => {
    const sample = sampleRequest(row, 'https://a.example/hook', 'evt_1');
    const headers = signRequest(row, sample, { secret: of(row.id), now, id: 'evt_2' });
    if (!headers) return false;
    const request = { ...sample, headers };
    const { state } = verifySender(row, request, { secrets: [of(row.id)], receivedAt: now });
    return state !== 'verified' || recognizeSender(senderRows, readSenderRequest(request))?.id !== row.id;
  });
  expect(failed.map(({ id }) => id)).toEqual([]);
});
