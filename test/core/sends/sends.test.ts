// Replay, edit and resend, and forwarding, over real sockets.
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isAccepted, type ReplayRunState } from '#contract/app-rpc/callback-sends.ts';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { startFakeService } from '../fake-service.ts';
import { openRaw } from '../raw-http.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Seen, startTarget, startWithReceiver } from '../callbacks/callback-harness.ts';

describe('a replay', () => {
  test('to another URL sends the same bytes and headers, without those of the connection', async () => {
    const { client, baseUrl } = await startWithReceiver();
    const { url, seen } = await startTarget((response) => {
      response.writeHead(202, { 'X-Answer': 'one' });
      response.end('accepted');
    });
    const body = randomBytes(20_000);
    const head = [
      'POST /hooks/a?x=1 HTTP/1.1',
      'Host: here',
      'Content-Type: application/x-thing',
      'Keep-Alive: timeout=5',
      'X-Id: caf\u00e9',
      'Content-Length: 20000',
      'Connection: close',
    ];
    await openRaw(Number(new URL(baseUrl).port), `${head.join('\r\n')}\r\n\r\n${body.toString('latin1')}`).answer;
    const send = await client.sends.replay({ id: 1, url: `${url}/other?y=2` });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/other?y=2' });
    expect(seen[0]?.body.equals(body)).toBe(true);
    const names = seen[0]?.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names).not.toContain('keep-alive');
    expect(names?.filter((name) => name === 'host')).toHaveLength(1);
    expect(seen[0]?.rawHeaders).toEqual(expect.arrayContaining(['application/x-thing', 'X-Id', 'caf\u00e9']));
    expect(send).toMatchObject({
      kind: 'replay',
      callbackId: 1,
      outcome: {
        kind: 'answered',
        status: 202,
        bodyBase64: Buffer.from('accepted').toString('base64'),
        truncated: false,
      },
    });
    expect(send.outcome.kind === 'answered' && send.outcome.headers).toContainEqual(['X-Answer', 'one']);
    expect((await client.callbacks.get({ id: 1 })).sends).toEqual([send]);
  });

  test('without a URL comes to the receiver again, as a marked callback of its own', async () => {
    const { client, post, baseUrl } = await startWithReceiver();
    await post('/hooks/a?x=1', '{"a":1}', { 'content-type': 'application/json' });
    await client.sends.replay({ id: 1, url: null });
    const again = await client.callbacks.get({ id: 2 });
    expect(again).toMatchObject({ target: '/hooks/a?x=1', bodyBase64: btoa('{"a":1}') });
    expect(again.headers).toContainEqual(['x-rainbell-replay', '1']);
    // As a proxy gets it.
    const head = 'PUT http://proxy.test/a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
    await openRaw(Number(new URL(baseUrl).port), head).answer;
    await client.sends.replay({ id: 3, url: null });
    expect(await client.callbacks.get({ id: 4 })).toMatchObject({ target: '/a', method: 'PUT' });
  });

  test('keeps of a long answer its beginning, and does not follow a redirect', async () => {
    const { client, post } = await startWithReceiver();
    const { url, seen } = await startTarget((response) => {
      response.writeHead(302, { location: '/elsewhere' }).end('x'.repeat(1_000_000));
    });
    await post('/', 'a');
    const send = await client.sends.replay({ id: 1, url });
    const { outcome } = send;
    expect(outcome).toMatchObject({ kind: 'answered', status: 302, truncated: true });
    expect(isAccepted(send)).toBe(false);
    expect(outcome.kind === 'answered' && Buffer.from(outcome.bodyBase64, 'base64')).toHaveLength(64 * 1024);
    expect(seen).toHaveLength(1);
  });

  test('of a refused request is refused, and so is its page', async () => {
    const { client, baseUrl } = await startWithReceiver();
    await openRaw(Number(new URL(baseUrl).port), 'nonsense\r\n\r\n').answer;
    await expect.poll(async () => (await client.callbacks.list({})).total).toBe(1);
    await expect(client.sends.replay({ id: 1, url: null })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'id' },
    });
    await expect(client.callbacks.proof({ id: 1 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('to what may not be called is refused', async () => {
    const { client, post } = await startWithReceiver();
    await post('/', 'a');
    for (const [url, words] of [
      ['ftp://127.0.0.1/', 'http:// or https://'],
      ['http://user:secret@127.0.0.1/', 'username'],
      ['http://169.254.169.254/latest/meta-data/', 'link-local'],
    ] as const) {
      const message = expect.stringContaining(words);
      const refused = { code: 'INVALID_INPUT', message, data: { field: 'url' } };
      await expect(client.sends.replay({ id: 1, url })).rejects.toMatchObject(refused);
    }
  });

  test('whose answer cannot be kept, because another program holds the database, is shown, and soon', async () => {
    const dataFolder = temporaryFolder();
    const { client, post } = await startWithReceiver({ dataFolder });
    const { url, seen } = await startTarget();
    await post('/', 'a');
    const other = new DatabaseSync(join(dataFolder, 'app.sqlite'));
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const before = performance.now();
    expect(await client.sends.replay({ id: 1, url })).toMatchObject({ outcome: { kind: 'answered', status: 200 } });
    expect(performance.now() - before).toBeLessThan(4000);
    expect([seen.length, (await client.callbacks.get({ id: 1 })).sends]).toEqual([1, []]);
  });
});

/** The time and the digest of Stripe's signature in the first request. */
function stripeSignatureIn([first]: Seen[]): string[] {
  const { rawHeaders = [] } = first ?? {};
  const signature = rawHeaders[rawHeaders.indexOf('stripe-signature') + 1] ?? '';
  return /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)?.slice(1) ?? [];
}

const asReceived = { times: 1, signing: 'as-received', delayMs: 0 } as const;

async function runWhere(client: AppClient, expected: Partial<ReplayRunState>): Promise<ReplayRunState> {
  await expect.poll(async () => (await client.sends.replayRun()).run).toMatchObject(expected);
  return (await client.sends.replayRun()).run as ReplayRunState;
}

test('a replay of 100 stops, continues with what was not sent, one at a time, and reports each result', async () => {
  const { client, post } = await startWithReceiver();
  let [open, most] = [0, 0];
  const target = await startTarget((response, request) => {
    most = Math.max(most, (open += 1));
    const number = Number(request.headers['x-number']);
    const respond = () => {
      open -= 1;
      response.writeHead(number === 60 ? 500 : 200).end();
    };
    // Stopped while it waits for the response to the 40th.
    if (number === 40) void client.sends.controlReplay({ action: 'stop' }).then(respond);
    else setImmediate(respond);
  });
  for (let number = 1; number <= 100; number += 1) await post('/hooks/a', 'x', { 'x-number': String(number) });
  await post('/other');
  const choice = { kind: 'query', query: 'path:/hooks', throughId: 101 } as const;
  await client.sends.startReplay({ ...asReceived, choice, url: target.url });
  await runWhere(client, { isRunning: false, total: 100, sent: 40, accepted: 40 });
  expect(target.seen).toHaveLength(40);
  await client.sends.controlReplay({ action: 'continue' });
  const { results } = await runWhere(client, { isRunning: false, sent: 100, accepted: 99 });
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(results.map(({ callbackId }) => callbackId)).toEqual(ids.toReversed());
  expect(results.filter((result) => !isAccepted(result)).map(({ callbackId }) => callbackId)).toEqual([60]);
  const numbers = target.seen.map(({ rawHeaders }) => Number(rawHeaders[rawHeaders.indexOf('x-number') + 1]));
  expect(numbers).toEqual(ids);
  expect(most).toBe(1);
  await client.sends.controlReplay({ action: 'dismiss' });
  expect(await client.sends.replayRun()).toEqual({ run: null });
});

test('a run repeats a callback with a pause, which a stop ends, and is the only one', async () => {
  const { client, post } = await startWithReceiver();
  const { url, seen } = await startTarget();
  await post('/', 'a');
  const run = { choice: { kind: 'ids' as const, ids: [1] }, url, signing: 'as-received' as const };
  await client.sends.startReplay({ ...run, times: 3, delayMs: 1 });
  await runWhere(client, { isRunning: false, sent: 3, accepted: 3 });
  await client.sends.startReplay({ ...run, times: 2, delayMs: 3_600_000 });
  await runWhere(client, { isRunning: true, sent: 1 });
  await expect(client.sends.startReplay({ ...run, ...asReceived })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await client.sends.controlReplay({ action: 'stop' });
  await runWhere(client, { isRunning: false, sent: 1, total: 2 });
  expect(seen).toHaveLength(4);
  const tooMany = client.sends.startReplay({
    ...run,
    ...asReceived,
    choice: { kind: 'ids', ids: [1, 2] },
    times: 5001,
  });
  await expect(tooMany).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('10,000') });
});

test('a run reports a callback that is gone and continues, but ends at a URL that may not be called', async () => {
  const { client, post } = await startWithReceiver();
  const { url, seen } = await startTarget();
  await post('/', 'a');
  await client.sends.startReplay({ ...asReceived, choice: { kind: 'ids', ids: [7, 1] }, url });
  expect((await runWhere(client, { isRunning: false, sent: 2 })).results).toMatchObject([
    { callbackId: 7, outcome: { kind: 'skipped', message: expect.stringContaining('no longer stored') } },
    { callbackId: 1, outcome: { kind: 'answered' } },
  ]);
  await client.sends.startReplay({
    ...asReceived,
    choice: { kind: 'ids', ids: [1, 7] },
    url: 'http://169.254.169.254/',
  });
  await runWhere(client, { isRunning: false, sent: 0, failure: expect.stringContaining('link-local') });
  expect(seen).toHaveLength(1);
});

test('a replay signed as Stripe with a given secret has a signature that Stripe’s rule makes', async () => {
  const { client, post } = await startWithReceiver();
  const { url, seen } = await startTarget();
  await post('/stripe', '{"id":"evt_1"}', { 'stripe-signature': 't=1,v1=00' });
  const signAs = { sender: 'stripe', secret: 'whsec_test' };
  await client.sends.replay({ id: 1, url, signing: 'same-id', signAs });
  const [time, signature] = stripeSignatureIn(seen);
  expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(600);
  expect(signature).toBe(createHmac('sha256', 'whsec_test').update(`${time}.{"id":"evt_1"}`).digest('hex'));
  const unknown = client.sends.replay({ id: 1, url, signing: 'same-id', signAs: { ...signAs, sender: 'strype' } });
  await expect(unknown).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('strype') });
});

test('nothing is sent to the service that comes with the app', async () => {
  const { client, post, core } = await startWithReceiver();
  const { introduction, seen } = await startFakeService();
  core.connectSandbox(introduction);
  await post('/', 'a');
  const url = `${introduction.baseUrl}/sandbox/clock`;
  await expect(client.sends.replay({ id: 1, url })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('Rainbell itself'),
  });
  expect(seen.filter((request) => request.url === '/sandbox/clock')).toEqual([]);
});

test('an edited request is sent as edited', async () => {
  const { client, post } = await startWithReceiver();
  const { url, seen } = await startTarget();
  await post('/', 'a');
  const headers: [string, string][] = [
    ['X-Twice', '1'],
    ['x-twice', '2'],
    ['Connection', 'x-private'],
    ['X-Private', 'no'],
  ];
  const edited = { method: 'PUT', headers, bodyBase64: btoa('changed') };
  const send = await client.sends.replay({ id: 1, url: `${url}/edited`, edited });
  expect(seen[0]).toMatchObject({ method: 'PUT', url: '/edited', body: Buffer.from('changed') });
  expect(seen[0]?.rawHeaders.join()).toContain('X-Twice,1,x-twice,2');
  expect(seen[0]?.rawHeaders).not.toContain('X-Private');
  expect(send.kind).toBe('edit');
});

describe('forwarding', () => {
  const targetOf = (id: string, url: string, more = {}) => ({
    id,
    url,
    isOn: true,
    path: '/*',
    keepsPath: false,
    ...more,
  });

  test('sends each new callback once to every target that is on, and keeps each answer', async () => {
    const { client, post } = await startWithReceiver();
    const one = await startTarget();
    const two = await startTarget((response) => response.writeHead(500).end());
    const off = await startTarget();
    await post('/before', 'early');
    await client.sends.replaceForwardTargets({
      targets: [
        targetOf('one', `${one.url}/in`, { keepsPath: true }),
        targetOf('two', two.url, { path: '/hooks/*' }),
        targetOf('off', off.url, { isOn: false }),
      ],
    });
    await post('/hooks/a?x=1', 'first');
    await post('/other', 'second');
    await expect
      .poll(() => one.seen.map(({ url, body }) => `${url} ${body.toString()}`))
      .toEqual(['/in/hooks/a?x=1 first', '/in/other second']);
    await expect
      .poll(async () => (await client.callbacks.get({ id: 2 })).sends.map(({ url }) => url).toSorted())
      .toEqual([`${one.url}/in/hooks/a?x=1`, two.url].toSorted());
    const { targets } = await client.sends.forwardTargets();
    expect(targets.map(({ id, sent, accepted, failed, waiting }) => [id, sent, accepted, failed, waiting])).toEqual([
      ['one', 2, 2, 0, 0],
      ['two', 1, 0, 1, 0],
      ['off', 0, 0, 0, 0],
    ]);
    expect(targets[0]?.last).toMatchObject({ isOk: true, message: expect.stringMatching(/ 200 in \d+ ms\.$/) });
    expect(targets[1]?.last).toMatchObject({ isOk: false, message: expect.stringContaining('500') });
    expect(off.seen).toEqual([]);
  });

  test('to a target that never answers holds up neither senders nor other targets', async () => {
    const { client, post } = await startWithReceiver();
    const stuck = await startTarget(() => {});
    const quick = await startTarget();
    await client.sends.replaceForwardTargets({
      targets: [targetOf('stuck', stuck.url), targetOf('quick', quick.url)],
    });
    for (let index = 0; index < 30; index += 1) expect((await post(`/${index}`, 'x')).status).toBe(200);
    await expect.poll(() => quick.seen.length).toBe(30);
    const { targets } = await client.sends.forwardTargets();
    expect(targets[0]).toMatchObject({ sent: 4, accepted: 0, waiting: 30 });
    expect(stuck.seen.length).toBe(4);
  });

  test('signs as a chosen sender with a secret of its own, which it keeps among the app’s secrets', async () => {
    const dataFolder = temporaryFolder();
    const { client, post, host } = await startWithReceiver({ dataFolder });
    const { url, seen } = await startTarget();
    const target = targetOf('one', url, { signing: 'same-id', sender: 'stripe' });
    const save = (newSecrets: Record<string, string>) =>
      client.sends.replaceForwardTargets({ targets: [target], newSecrets });
    await expect(save({})).rejects.toMatchObject({ message: `Enter the secret to sign as Stripe for ${url}.` });
    await save({ one: 'whsec_old' });
    const { targets } = await save({ one: 'whsec_test' });
    expect(targets).toMatchObject([{ sender: 'stripe', hasSecret: true }]);
    await post('/stripe', '{"id":"evt_1"}', { 'stripe-signature': 't=1,v1=00' });
    await expect.poll(() => seen.length).toBe(1);
    const [time, signature] = stripeSignatureIn(seen);
    expect(signature).toBe(createHmac('sha256', 'whsec_test').update(`${time}.{"id":"evt_1"}`).digest('hex'));
    expect(await host.secrets.read('endpoint-secrets:forward:one')).toBe('["whsec_test"]');
    await client.sends.replaceForwardTargets({ targets: [] });
    expect(await host.secrets.read('endpoint-secrets:forward:one')).toBeNull();
  });

  test('refuses a target that may not be called, and keeps those from before', async () => {
    const { client } = await startWithReceiver();
    const replace = (...targets: ReturnType<typeof targetOf>[]) => client.sends.replaceForwardTargets({ targets });
    const target = targetOf('a', 'http://127.0.0.1:1/');
    await replace(target);
    const meta = targetOf('meta', 'http://169.254.169.254/');
    await expect(replace(targetOf('b', target.url), meta)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await client.sends.forwardTargets()).targets).toMatchObject([{ id: 'a', sent: 0 }]);
  });
});
