// `rainbell listen --feed`, and the client of docs/feed.md, against a real service.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
    const environment = { RAINBELL_CLIENT_SECRET: clientSecret };
    const forward = ['--forward-to', `http://127.0.0.1:${target.port}`];
    const named = ['--base-url', service.baseUrl, '--client-id', clientId, '--data', temporaryFolder()];
    const listen = () =>
      startRainbell(['listen', '--feed', '--json', '--port', '0', ...forward, ...named], { environment });
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
    const alone = ['listen', '--feed', '--port', '0', ...named, '--data', temporaryFolder()];
    const without = await runRainbell(alone, { environment });
    expect(without.words).toMatch(/has no feed\.\n$/);
    expect(without.code).not.toBe(0);
    const app = await startWithReceiver();
    const beside = await runRainbell(['listen', '--feed', ...named, '--data', app.dataFolder], { environment });
    expect(beside.words).toContain('Turn on “Read events from the feed” there');
    expect(beside.code).toBe(without.code);
  });
});

describe('the client of docs/feed.md', () => {
  function client(baseUrl: string, clientId: string, clientSecret: string) {
    const folder = temporaryFolder();
    const page = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');
    writeFileSync(join(folder, 'feed.py'), /```python\n([^]*?)```/.exec(page)?.[1] ?? '');
    const env = { ...process.env, BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    const cursorFile = join(folder, 'cursor.txt');
    const printed: string[] = [];
    return {
      printed,
      cursor: () => (existsSync(cursorFile) ? readFileSync(cursorFile, 'utf8') : undefined),
      start() {
        const child = spawn('python3', ['feed.py'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
        createInterface({ input: child.stdout }).on('line', (line) => void printed.push(line));
        onTestFinished(() => void child.kill('SIGKILL'));
        return child;
      },
    };
  }

  test('continues after its saved cursor, including events from while it was killed', async () => {
    const service = await startMonitorService();
    const { clientId, clientSecret } = service.sandbox;
    const { start, cursor, printed } = client(service.baseUrl, clientId, clientSecret);
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

  test('outlives a lost connection', async () => {
    const service = await startFakeService({
      'GET /v2/deliveries/': (_request, count) => {
        if (count === 1) return { hangUp: true };
        // The third waits.
        return count === 2 ? { body: { objects: [], meta: { cursor: 'after it' } } } : new Promise(() => {});
      },
    });
    const { start, cursor } = client(service.baseUrl, 'a', 'b');
    start();
    await expect.poll(() => service.requestsTo('GET /v2/deliveries/').length).toBe(3);
    expect(cursor()).toBe('after it');
  });
});
