// Requests of other senders in a fresh app: who sent them, what is proven, and what the receiver responds.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Endpoint } from '#contract/app-rpc/callbacks.ts';
import { invalidVectors, vectors } from '../senders/sender-vectors.ts';
import { startWithReceiver } from './callback-harness.ts';

const vectorOf = (sender: string) => {
  const found = vectors.find((one) => one.sender === sender);
  if (!found) throw new Error(`no vector of ${sender}`);
  return found;
};
const endpoint = (changes: Partial<Endpoint>): Endpoint => ({
  id: 'path-1',
  name: 'Path',
  path: '/in',
  keptCallbacks: null,
  keptDays: null,
  keptMegabytes: null,
  ...changes,
});

async function start() {
  const started = await startWithReceiver();
  const { client, baseUrl } = started;
  const send = async (vector: { method: string; headers: Record<string, string>; body: string }, target = '/in') => {
    const hasBody = vector.method !== 'GET';
    const response = await fetch(baseUrl + target, {
      method: vector.method,
      headers: vector.headers,
      ...(hasBody && { body: vector.body }),
    });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const newest = async () => {
    const [row] = (await client.callbacks.list({})).items;
    if (!row) throw new Error('no callback');
    return row;
  };
  const save = (changes: Partial<Endpoint>, secrets: string[] = []) =>
    client.callbacks.replaceEndpoints({ endpoints: [endpoint(changes)], newSecrets: { 'path-1': secrets } });
  return { ...started, send, newest, save };
}

const words = ['stripe', 'github', 'gitlab', 'slack', 'shopify', 'twilio', 'mailgun', 'paypal', 'telegram', 'linear'];

test('names ten senders without a setting, and nothing is red', async () => {
  const { client, send } = await start();
  for (const sender of words) await send(vectorOf(sender));
  const { items } = await client.callbacks.list({});
  expect(items.map(({ sender, verdictName }) => [sender?.toLowerCase(), verdictName]).toReversed()).toEqual(
    words.map((sender) => [sender, 'signed']),
  );
  expect(items.map(({ verdict, monitorId, kind }) => [verdict, monitorId, kind])).toEqual(
    words.map(() => ['unknown', null, 'other']),
  );
  const { checks } = await client.callbacks.get({ id: 1 });
  expect(checks.map(({ check, message }) => [check, message])).toEqual([
    ['sender', 'Recognized as Stripe. Event type: payment_intent.succeeded.'],
    ['signature', 'Signed by Stripe’s scheme, not checked: add its secret (signing secret).'],
  ]);
  const found = async (query: string) => (await client.callbacks.search({ query })).items.map(({ id }) => id);
  expect(await found('sender:github')).toEqual([2]);
  expect(await found('sender:s* verdict:signed')).toEqual([5, 4, 1]);
});

test('verifies with a path’s secrets, in any order, says what is proven, and why a signature fails', async () => {
  const { client, send, newest, save } = await start();
  const github = vectorOf('github');
  await save({}, ['old secret']);
  await send(github);
  expect(await newest()).toMatchObject({ verdict: 'error', verdictName: 'unknown-secret' });
  await save({}, [github.secret]);
  const row = await newest();
  expect(row).toMatchObject({ verdict: 'ok', verdictName: 'verified' });
  const { checks } = await client.callbacks.get({ id: row.id });
  expect(checks.at(-1)?.message).toBe('Verified with secret 1 of 2: body.');
  expect((await client.callbacks.endpoints()).endpoints[0]).toMatchObject({ secrets: 2 });
  const compacted = invalidVectors.find(({ cause }) => cause?.startsWith('body pretty-printed'));
  if (!compacted) throw new Error('no vector');
  await save({ sender: 'shopify' }, [compacted.secret]);
  await send(compacted);
  const wrong = await newest();
  expect(wrong.verdictName).toBe('unknown-secret');
  expect(await client.callbacks.diagnoseSignature({ id: wrong.id })).toMatchObject({
    verifies: true,
    causes: ['json-reserialized'],
  });
  await client.callbacks.replaceEndpoints({ endpoints: [] });
  expect(await newest()).toMatchObject({ verdictName: 'signed' });
});

test('a stored request is judged at the time of its arrival, by the secret of its path', async () => {
  const { send, newest, save } = await start();
  const stripe = vectorOf('stripe');
  const body = '{"id":"evt_1","type":"charge.refunded"}';
  const signed = (seconds: number) => {
    const v1 = createHmac('sha256', stripe.secret).update(`${seconds}.${body}`).digest('hex');
    return { method: 'POST', headers: { 'stripe-signature': `t=${seconds},v1=${v1}` }, body };
  };
  await save({}, [stripe.secret]);
  await send(vectorOf('github'));
  // By the receiver's clock.
  const now = Math.floor(Date.parse((await newest()).receivedAt) / 1000);
  await send(signed(now));
  expect(await newest()).toMatchObject({ verdictName: 'verified', eventType: 'charge.refunded' });
  await send(signed(now - 3600));
  expect(await newest()).toMatchObject({ verdict: 'error', verdictName: 'invalid' });
});

test('verifies by the public URL of the path, and by a rule of the user', async () => {
  const { client, send, newest, save } = await start();
  const square = vectorOf('square');
  await save({ publicUrl: square.url }, [square.secret]);
  await send(square);
  expect(await newest()).toMatchObject({ verdictName: 'verified', sender: 'Square' });
  const body = '{"a":1}';
  const signature = `v1=${createHmac('sha512', 'mine').update(`POST:${body}:7`).digest('base64')}`;
  const customRule = {
    header: 'X-Mine',
    prefix: 'v1=',
    algorithm: 'hmac-sha512',
    encoding: 'base64',
    keyEncoding: 'text',
    content: '{method}:{body}:{header:x-time}',
  } as const;
  await save({ customRule }, ['mine']);
  await send({ method: 'POST', headers: { 'x-mine': signature, 'x-time': '7' }, body });
  expect(await newest()).toMatchObject({ verdictName: 'verified', sender: 'Custom sender' });
  await send({ method: 'POST', headers: { 'x-mine': signature, 'x-time': '8' }, body });
  const wrong = await newest();
  expect(wrong).toMatchObject({ verdictName: 'unknown-secret' });
  const secrets = [{ secret: 'mine', origin: 'current' as const }];
  const diagnose = (id: number) => client.callbacks.diagnoseSignature({ id, secrets });
  expect(await diagnose(wrong.id)).toMatchObject({ sender: 'Custom sender', outcome: 'wrong', verifies: false });
  expect(await diagnose(wrong.id - 1)).toMatchObject({ sender: 'Custom sender', outcome: 'valid' });
});

const challenge = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"type":"url_verification","challenge":"abc"}',
};

test('answers handshakes as plain text, unless a rule of the user matches', async () => {
  const { client, send, newest } = await start();
  const answer = await send(challenge);
  expect([
    answer.status,
    answer.body,
    answer.headers.get('content-type'),
    answer.headers.get('x-content-type-options'),
  ]).toEqual([200, 'abc', 'text/plain; charset=utf-8', 'nosniff']);
  expect(await newest()).toMatchObject({ verdictName: 'handshake', sender: 'Slack', verdict: 'ok' });
  const step = { kind: 'answer' as const, status: 418, headers: [], body: 'mine', hasPlaceholders: false, delayMs: 0 };
  const rule = {
    name: 'All',
    isOn: true,
    method: null,
    path: '/*',
    condition: '',
    limit: null,
    failure: null,
    steps: [step],
    afterLast: 'stay' as const,
  };
  await client.rules.replace({ pause: 'off', rules: [rule] });
  expect(await send(challenge)).toMatchObject({ status: 418, body: 'mine' });
});

test('answers what only a chosen sender sends, with the path’s verify token and secret', async () => {
  const { client, send, newest, save } = await start();
  const handshake = async () => (await client.callbacks.get({ id: (await newest()).id })).checks.at(-1);
  const get = (query: string) => send({ method: 'GET', headers: {}, body: '' }, `/in?${query}`);
  expect((await get('challenge=abc')).body).toBe('');
  await save({ sender: 'dropbox' });
  expect((await get('challenge=abc')).body).toBe('abc');
  await save({ verifyToken: 'mine' });
  expect((await get('hub.mode=subscribe&hub.challenge=7&hub.verify_token=mine')).body).toBe('7');
  const [ping] = vectors.filter(({ sender }) => sender === 'discord');
  if (!ping) throw new Error('no vector');
  await save({ sender: 'discord' });
  await send(ping);
  expect(await handshake()).toMatchObject({ verdict: 'unknown', message: expect.stringContaining('Add its secret') });
  await save({}, [ping.secret]);
  expect(await send(ping)).toMatchObject({ status: 200, body: '{"type":1}' });
  expect(await handshake()).toMatchObject({ check: 'handshake', verdict: 'ok' });
  const forged = { ...ping, headers: { ...ping.headers, 'x-signature-timestamp': '1760000001' } };
  expect(await send({ ...forged, body: '{"type":2}' })).toMatchObject({ status: 401 });
  expect(await newest()).toMatchObject({ sender: 'Discord', answeredStatus: 401 });
});
