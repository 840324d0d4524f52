// `rainbell export` and `rainbell replay`: real processes on the real store, beside one that listens and without it.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { listeningAddress, runRainbell, sendCallback, startRainbell } from './rainbell-process.ts';

async function startFilled() {
  const folder = temporaryFolder();
  const listening = startRainbell(['listen', '--port', '0', '--data', folder]);
  const [, baseUrl = ''] = await listening.says(listeningAddress);
  for (const id of ['precipitation_1', 'precipitation_2']) await sendCallback(baseUrl, id, `/hooks/${id}`);
  const end = async () => {
    listening.child.kill('SIGINT');
    await listening.ended;
  };
  return { folder, baseUrl, end };
}

test('export prints what matches a query, beside a running app and without it, and names what is wrong', async () => {
  const { folder, end } = await startFilled();
  const { code, out } = await runRainbell(['export', '--query', 'monitor:*_2', '--data', folder]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ id: 2, target: '/hooks/precipitation_2' });
  expect(await runRainbell(['export', '--format', 'xml', '--data', folder])).toMatchObject({
    code: 2,
    words: expect.stringContaining('ndjson'),
  });
  expect(await runRainbell(['export', '--query', 'is:odd', '--data', folder])).toMatchObject({
    code: 2,
    words: expect.stringContaining('“is:odd” at character 1'),
  });
  // With or without the app, a command has neither the service's monitors nor its keys.
  expect(await runRainbell(['export', '--query', 'verdict:verified', '--data', folder])).toMatchObject({
    code: 5,
    out: '',
    words: expect.stringContaining('are known only while the app runs'),
  });
  expect((await runRainbell(['export', '--data', temporaryFolder()])).words).toContain('no stored callbacks');
  await end();
  const har = await runRainbell(['export', '--format', 'har', '--data', folder]);
  expect((JSON.parse(har.out) as { log: { entries: unknown[] } }).log.entries).toHaveLength(2);
});

test('replay sends the bytes to a URL or to the running receiver, and its exit code shows the result', async () => {
  const { folder, end } = await startFilled();
  const { url: to, received } = await startCallbackEndpoint(
    (_callback, response, index) => void response.writeHead(index === 0 ? 204 : 500).end(),
  );
  const first = await runRainbell(['replay', '1', '--to', to, '--data', folder]);
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('returned 204') });
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ id: 'precipitation_1' });
  expect((await runRainbell(['replay', '1', '--to', to, '--json', '--data', folder])).code).toBe(1);
  expect((await runRainbell(['replay', '2', '--data', folder])).code).toBe(0);
  const { out } = await runRainbell(['export', '--query', 'path:precipitation_2', '--data', folder]);
  expect(out.trim().split('\n')).toHaveLength(2);
  expect((await runRainbell(['replay', '1', '--to', 'http://169.254.169.254/', '--data', folder])).code).toBe(2);
  await end();
  expect((await runRainbell(['replay', '1', '--data', folder])).words).toContain('--to');
});

test('replay sends all that a query finds, prints each result, and says what a stop left', async () => {
  const { folder, end } = await startFilled();
  await end();
  let requests = 0;
  const { url: to } = await startCallbackEndpoint(
    (_callback, response) => void response.writeHead((requests += 1) === 2 ? 500 : 204).end(),
  );
  const args = ['replay', '--query', 'path:/hooks', '--to', to, '--data', folder];
  const all = await runRainbell(args);
  expect(all).toMatchObject({ code: 1, words: expect.stringContaining('2 sent, 1 accepted.') });
  expect(all.out).toMatch(/^1: .* returned 204 in \d+ ms\n2: .* returned 500 in \d+ ms\n$/);
  requests = 0;
  const stopped = startRainbell([...args, '--delay', '1h']);
  await expect.poll(() => requests).toBe(1);
  stopped.child.kill('SIGINT');
  expect(await stopped.ended).toMatchObject({
    code: 130,
    words: expect.stringContaining('Stopped: 1 was not sent, callback 2.'),
  });
  requests = 2;
  const rest = await runRainbell(['replay', '2', '--to', to, '--json', '--data', folder]);
  expect([rest.code, JSON.parse(rest.out)]).toMatchObject([0, { callbackId: 2, status: 204 }]);
  const times = await runRainbell(['replay', '1', '--times', '3', '--delay', '1ms', '--to', to, '--data', folder]);
  expect(times).toMatchObject({ code: 0, words: expect.stringContaining('3 sent, 3 accepted.') });
  expect(requests).toBe(6);
  expect((await runRainbell([...args, '--times', '2'])).words).toContain('--times is for one callback');
  expect((await runRainbell([...args, '--sender', 'stripe'])).words).toContain('The webhook secret is missing');
});

test('signature verifies a stored callback, and names why it fails', async () => {
  const { folder, baseUrl, end } = await startFilled();
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"id":"precipitation_3"}';
  const send = async (signed: string) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const digest = createHmac('sha256', key).update(signed).digest('base64');
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1780000000', 'webhook-signature': `v1,${digest}` };
    await fetch(`${baseUrl}/signed`, { method: 'POST', body, headers });
  };
  await send(`evt_1.1780000000.${body}`);
  await send(body);
  const stripe = { RAINBELL_WEBHOOK_SECRET: 'whsec_of_stripe' };
  const v1 = createHmac('sha256', 'whsec_of_stripe').update('1780000000.{}').digest('hex');
  const signed = { 'stripe-signature': `t=1780000000,v1=${v1}` };
  await fetch(`${baseUrl}/stripe`, { method: 'POST', body: '{}', headers: signed });
  await fetch(`${baseUrl}/plain`, { method: 'POST', body: '{}' });
  await end();
  const run = (id: number, input = secret) =>
    runRainbell(['signature', String(id), '--webhook-secret-stdin', '--json', '--data', folder], {
      input: `${input}\n`,
    });
  const valid = await run(3);
  expect(valid.code).toBe(0);
  expect(JSON.parse(valid.out)).toMatchObject({ outcome: 'valid', diagnosis: null });
  const wrong = await run(4);
  expect(wrong.code).toBe(1);
  expect(JSON.parse(wrong.out)).toMatchObject({ outcome: 'wrong', diagnosis: { causes: ['body-only'] } });
  const environment = { RAINBELL_WEBHOOK_SECRET: secret };
  const text = await runRainbell(['signature', '4', '--data', folder], { environment });
  expect(text.out).toContain('The signature verifies if only the body is signed.');
  expect(text.out + text.words).not.toContain(secret.slice(6));
  const other = await runRainbell(['signature', '5', '--json', '--data', folder], { environment: stripe });
  expect(JSON.parse(other.out)).toMatchObject({ sender: 'Stripe', outcome: 'valid' });
  const json = await runRainbell(['signature', '5', '--sender', 'github', '--data', folder], { environment: stripe });
  expect(json).toMatchObject({ code: 1, out: 'Callback 5: it has no signature.\n' });
  expect(
    await runRainbell(['signature', '5', '--sender', 'nobody', '--data', folder], { environment: stripe }),
  ).toMatchObject({ code: 2, words: expect.stringContaining('standard-webhooks, stripe') });
  expect(await run(6)).toMatchObject({
    code: 2,
    words: expect.stringContaining('callback 6 can’t be diagnosed: no known sender'),
  });
  expect(await runRainbell(['signature', '1', '--data', folder])).toMatchObject({
    code: 2,
    words: expect.stringContaining('RAINBELL_WEBHOOK_SECRET'),
  });
});
