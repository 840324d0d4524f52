// `rainbell listen --feed`, and the client of docs/feed.md, against a real service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFakeService } from '#test/core/fake-service.ts';
import { startWithReceiver } from '#test/core/callbacks/callback-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { rainOn } from '#test/service/monitors/delivery/delivery-harness.ts';
import { startMonitorService } from '#test/service/monitor-service.ts';
import { runRainbell, startRainbell } from './rainbell-process.ts';

/** A URL without a listener. */
const unreachable = { url: 'http://127.0.0.1:9/hooks/rain' };

describe('rainbell listen --feed', () => {
  test('prints and forwards each event once, also those of while it was killed', async () => {
    const [service, target] = [await startMonitorService(), await startCallbackEndpoint()];
    const { clientId, clientSecret } = service.sandbox;
    const named = ['--base-url', service.baseUrl, '--client-id', clientId, '--data', temporaryFolder()];
    const listen = () =>
      startRainbell(
        ['listen', '--feed', '--json', '--port', '0', '--forward-to', `http://127.0.0.1:${target.port}`, ...named],
        {
          environment: { RAINBELL_CLIENT_SECRET: clientSecret },
        },
      );
    const first = listen();
    await first.says(/Reading the feed from 127\.0\.0\.1:\d+\./);
    const monitorId = await rainOn(service, unreachable);
    const [line = ''] = await first.prints(1);
    expect(JSON.parse(line)).toMatchObject({ id: 1, target: '/hooks/rain', monitorId, isByFeed: true });
    const [forwarded] = await target.waitFor(1);
    expect(forwarded).toMatchObject({
      path: '/hooks/rain',
      method: 'POST',
      body: (JSON.parse(line) as { body: string }).body,
    });
    expect(forwarded?.headers['webhook-signature']).toMatch(/^v1,/);
    first.child.kill('SIGKILL');
    await first.ended;

    const { json } = await service.call('POST', `/v2/monitors/${monitorId}/test-event/`);
    const second = listen();
    const [missed = ''] = await second.prints(1);
    const { event_id: eventId } = json as { event_id: string };
    expect(JSON.parse(missed)).toMatchObject({ id: 2, isByFeed: true });
    expect(missed).toContain(eventId);
    await target.waitFor(2);
    second.child.kill('SIGINT');
    expect((await second.ended).code).toBe(0);
    expect(target.received).toHaveLength(2);
  });

  test('exits if the service has no feed, and if a running app stores the callbacks', async () => {
    const service = await startFakeService({ 'GET /v2/deliveries/': () => ({ status: 404 }) });
    const named = ['--base-url', service.baseUrl, '--client-id', 'client'];
    const environment = { RAINBELL_CLIENT_SECRET: 'secret' };
    const without = await runRainbell(['listen', '--feed', '--port', '0', ...named, '--data', temporaryFolder()], {
      environment,
    });
    expect(without.words).toMatch(/has no feed\.\n$/);
    expect(without.code).not.toBe(0);
    const app = await startWithReceiver();
    const beside = await runRainbell(['listen', '--feed', ...named, '--data', app.dataFolder], { environment });
    expect(beside.words).toContain('Turn on “Read events from the feed” there');
    expect(beside.code).toBe(without.code);
  });
});

test('the client of docs/feed.md continues after its saved cursor, including events from while it was killed', async () => {
  const service = await startMonitorService();
  const folder = temporaryFolder();
  const page = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');
  writeFileSync(join(folder, 'feed.py'), /```python\n([^]*?)```/.exec(page)?.[1] ?? '');
  const printed: string[] = [];
  const start = () => {
    const { clientId, clientSecret } = service.sandbox;
    const names = { BASE_URL: service.baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    const child = spawn('python3', ['feed.py'], { cwd: folder, env: { ...process.env, ...names } });
    createInterface({ input: child.stdout }).on('line', (line) => void printed.push(line));
    child.stderr.pipe(process.stderr);
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const cursor = () => {
    try {
      return readFileSync(join(folder, 'cursor.txt'), 'utf8');
    } catch {
      return undefined;
    }
  };
  const first = start();
  await expect.poll(cursor).toBeDefined();
  const begin = cursor();
  const monitorId = await rainOn(service, unreachable);
  await expect.poll(() => printed.length).toBe(1);
  expect(JSON.parse(printed[0]?.replace(/^\S+ /, '') ?? '')).toMatchObject({ id: monitorId });
  await expect.poll(cursor).not.toBe(begin);
  first.kill('SIGKILL');
  const { json } = await service.call('POST', `/v2/monitors/${monitorId}/test-event/`);
  start();
  await expect.poll(() => printed.length).toBe(2);
  expect(printed[1]?.split(' ')[0]).toBe((json as { event_id: string }).event_id);
});

test('the client of docs/feed.md outlives a lost connection', async () => {
  const folder = temporaryFolder();
  const page = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');
  writeFileSync(join(folder, 'feed.py'), /```python\n([^]*?)```/.exec(page)?.[1] ?? '');
  let reads = 0;
  const server = createServer((request, response) => {
    if (request.method === 'POST') response.end('{"access_token":"a"}');
    else if (++reads === 1) request.socket.destroy();
    // The third waits.
    else if (reads === 2) response.end('{"objects":[],"meta":{"cursor":"after it"}}');
  });
  onTestFinished(() => server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const names = {
    BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CLIENT_ID: 'a',
    CLIENT_SECRET: 'b',
  };
  const child = spawn('python3', ['feed.py'], { cwd: folder, env: { ...process.env, ...names }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => reads).toBe(3);
  expect(readFileSync(join(folder, 'cursor.txt'), 'utf8')).toBe('after it');
});
