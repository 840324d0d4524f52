// When a socket was looked up, connected and secured, as the traffic log tells it.
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { createHttpSender, httpLimits, type ObservedRequest } from '#core/http/http-sender.ts';
import { testJsonReader } from '../core-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { startTlsHost } from '#test/stories/tls-host.ts';

function observedSender(caPem: string | null = null) {
  const seen: ObservedRequest[] = [];
  const http = createHttpSender({
    clock: systemClock,
    limits: httpLimits,
    json: testJsonReader(),
    transport: { caPem, proxyUrl: null },
    observe: (observed) => seen.push(observed),
  });
  onTestFinished(() => http.close());
  return { seen, get: (url: string) => http.send({ method: 'GET', url, headers: [] }) };
}

test('the first request to a name reports lookup and connection; a reused connection has no such steps', async () => {
  const service = await startFakeService({ 'GET /': () => ({ body: 'x' }) });
  const { seen, get } = observedSender();
  const url = `${service.baseUrl.replace('127.0.0.1', 'localhost')}/`;
  for (let count = 0; count < 4; count += 1) {
    // One after the other; the pool may open a second socket while the first is not yet free again.
    await get(url);
  }
  const [first, ...later] = seen.map(({ steps }) => steps);
  expect(first?.lookedUpMs).toBeGreaterThanOrEqual(0);
  expect(first?.connectedMs).toBeGreaterThanOrEqual(first?.lookedUpMs ?? Infinity);
  expect(first?.securedMs).toBeNull();
  expect(later).toContainEqual({ lookedUpMs: null, connectedMs: null, securedMs: null });
});

test('over TLS the handshake has its own step, even if it fails', async () => {
  const { baseUrl, caPem } = await startTlsHost((_request, response) => response.end('x'));
  const trusting = observedSender(caPem);
  await trusting.get(`${baseUrl}/`);
  const steps = trusting.seen[0]?.steps;
  expect(steps?.connectedMs).not.toBeNull();
  expect(steps?.securedMs).toBeGreaterThanOrEqual(steps?.connectedMs ?? Infinity);
  const doubting = observedSender();
  await expect(doubting.get(`${baseUrl}/`)).rejects.toMatchObject({ code: 'NETWORK' });
  expect(doubting.seen[0]?.steps.connectedMs).not.toBeNull();
});
