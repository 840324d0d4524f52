// The requests with which senders check a receiver, and the answers they expect.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { requiredAnswer } from '#core/senders/endpoint-sender.ts';
import { findHandshake } from '#core/senders/handshakes.ts';
import { readSenderRequest } from '#core/senders/sender-request.ts';
import { senderOf, senderRows } from '#core/senders/sender-rows.ts';
import { clockOf, readFixture, requestOf, type Vector, vectors } from './sender-vectors.ts';

type Handshake = Omit<Vector, 'secret'> & {
  secret?: string;
  expect: {
    status: number;
    type?: string;
    body?: string;
    headers?: Record<string, string>;
    manual?: string;
    else?: number;
  };
};

const handshakes = readFixture<Handshake>('handshakes.json');
/** Returns the answer at a path whose sender is chosen; an empty ID chooses none. */
const answer = (one: Omit<Vector, 'secret'>, secrets: string[] = []) => {
  const { headers, ...rest } = requestOf(one);
  const callback = { ...rest, target: one.url, rawHeaders: headers.flat(), receivedAt: clockOf(one) };
  return requiredAnswer([{ ...one, path: '*', secrets }], callback);
};

test.each(handshakes.map((one, index) => [`${one.sender} ${index}`, one] as const))('answers %s', (_, one) => {
  const { status, type = '', body = '', headers = {}, manual = '', else: otherwise } = one.expect;
  const found = answer(one);
  const sent = Object.fromEntries(found?.headers ?? []);
  const isAnswered = otherwise === undefined;
  expect(found).toMatchObject({ status: otherwise ?? status, body: isAnswered ? body : '' });
  expect(sent).toMatchObject({ 'x-content-type-options': 'nosniff', ...headers });
  expect(sent['content-type']).toContain(isAnswered ? type : '');
  const sender = ['dropbox', 'discord'].includes(one.sender) ? one.sender : '';
  expect(answer({ ...one, sender })).toEqual(found);
  const described = findHandshake(senderRows, { sender: senderOf(one.sender) }, readSenderRequest(requestOf(one)));
  expect(described?.manual ?? '').toContain(manual.replace('open ', ''));
});

const zoom = vectors.find(({ sender, body }) => sender === 'zoom' && body.includes('url_validation'));
const discord = vectors.filter(({ sender }) => sender === 'discord');

test('answers Zoom with the HMAC of its token, only if its signature is valid', () => {
  if (!zoom) throw new Error('no vector');
  const found = answer(zoom, [zoom.secret]);
  const encryptedToken = '3ababd0c92682ff43d755ffb2e06b9279e3889fd2ad88e6e2a4ed933588df780';
  expect([found?.status, JSON.parse(found?.body ?? '')]).toEqual([
    200,
    { plainToken: 'plain-synthetic-1', encryptedToken },
  ]);
  const forged = { ...zoom, body: zoom.body.replace('plain-synthetic-1', 'other') };
  expect(answer(forged, [zoom.secret])).toMatchObject({ status: 401, body: '' });
  expect(answer({ ...zoom, headers: {} }, [zoom.secret])).toMatchObject({ status: 401, body: '' });
});

test('answers Discord’s two pings if their signature is valid, and 401 if not', () => {
  const [interaction, event] = discord.map((one) => answer(one, [one.secret]));
  expect([interaction?.status, interaction?.body, event?.status, event?.body]).toEqual([200, '{"type":1}', 204, '']);
  expect(discord.map((one) => answer(one, ['00'.repeat(32)])?.status)).toEqual([401, 401]);
});

const request = (changes: Partial<Vector>): Vector => ({
  sender: 'x',
  scheme: '',
  secret: '',
  method: 'GET',
  url: 'https://hooks.example.test/in',
  headers: {},
  body: '',
  valid: true,
  clock: null,
  ...changes,
});

const post = (changes: Partial<Vector>, secrets?: string[]) => answer(request({ method: 'POST', ...changes }), secrets);

const secret = 'consumer-secret';
const hmac = (encoding: 'hex' | 'base64') => createHmac('sha256', secret).update('abc').digest(encoding);
const at = (query: string) => ({ url: `https://hooks.example.test/in?${query}` });
const twitch = { 'twitch-eventsub-message-type': 'webhook_callback_verification' };
const strava = at('hub.mode=subscribe&hub.challenge=15f7&hub.verify_token=v');

test.each<[string, Partial<Vector>, string]>([
  ['x', at('crc_token=abc'), JSON.stringify({ response_token: `sha256=${hmac('base64')}` })],
  ['linkedin', at('challengeCode=abc'), JSON.stringify({ challengeCode: 'abc', challengeResponse: hmac('hex') })],
  ['strava', { ...strava, verifyToken: 'v' }, '{"hub.challenge":"15f7"}'],
  ['twitch', { method: 'POST', headers: twitch, body: '{"challenge":"abc"}' }, 'abc'],
  ['okta', { headers: { 'x-okta-verification-challenge': 'abc' } }, '{"verification":"abc"}'],
  ['front', { method: 'POST', headers: { 'x-front-challenge': 'abc' } }, 'abc'],
])('answers the challenge of %s', (sender, changes, body) => {
  expect(answer(request({ sender, ...changes }), [secret])).toMatchObject({ status: 200, body });
});

test('returns the secret of Asana', () => {
  const asana = post({ sender: 'asana', headers: { 'x-hook-secret': 'abc' } });
  expect(asana?.headers).toContainEqual(['x-hook-secret', 'abc']);
});

test('signs no text that could be a body', () => {
  const body = encodeURIComponent('{"event":"meeting.started"}');
  expect(answer(request({ sender: 'x', url: `https://a.example/?crc_token=${body}` }), ['s'])).toBeUndefined();
});

test('reflects short text as plain text, and writes JSON as JSON', () => {
  const slack = (challenge: string) =>
    post({ sender: 'slack', body: JSON.stringify({ type: 'url_verification', challenge }) });
  const html = slack('<script>alert(1)</script>');
  expect(html?.headers).toEqual([
    ['content-type', 'text/plain; charset=utf-8'],
    ['x-content-type-options', 'nosniff'],
  ]);
  expect(slack('x'.repeat(4096))?.body).toHaveLength(4096);
  expect(slack('x'.repeat(4097))).toBeUndefined();
  const code = 'a","b":"c';
  const grid = post({
    sender: 'azure-event-grid',
    headers: { 'aeg-event-type': 'SubscriptionValidation' },
    body: JSON.stringify([{ data: { validationCode: code } }]),
  });
  expect(JSON.parse(grid?.body ?? '')).toEqual({ validationResponse: code });
  const origin = answer(
    request({ sender: 'cloudevents', method: 'OPTIONS', headers: { 'webhook-request-origin': 'a\u00e9\u0000b' } }),
  );
  expect(origin).toBeUndefined();
});

test('answers no request that only looks like a handshake', () => {
  for (const query of ['challenge=abc', 'crc_token=abc', 'challengeCode=abc', 'hub.mode=subscribe&hub.challenge=1'])
    expect(answer(request({ sender: '', ...at(query) }), ['s'])).toBeUndefined();
  expect(post({ sender: '', body: '{"type":1,"token":"t"}' }, ['s'])).toBeUndefined();
  expect(post({ sender: 'microsoft-graph', headers: { host: 'a?validationToken=b' } })).toBeUndefined();
});

test('a handshake that needs no signature begins with what few requests have', () => {
  const open = senderRows.flatMap(({ handshakes: own = [] }) => own).filter((one) => !one.unlessValid);
  for (const { when } of open) expect(when).toMatch(/^(header:|query:|json:[\w.]+=|method=(GET|OPTIONS) )[^/]*$/);
});
