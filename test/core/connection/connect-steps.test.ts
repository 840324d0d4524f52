// When a socket was looked up, connected and secured, as the traffic log tells it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { createHttpSender, httpLimits, type ObservedRequest } from '#core/http/http-sender.ts';
import { testJsonReader } from '../core-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { listen } from '#test/setup/listen.ts';

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

test('simultaneous requests each report their own socket', async () => {
  const service = await startFakeService({ 'GET /': () => ({ body: 'x' }) });
  const { seen, get } = observedSender();
  await Promise.all([get(`${service.baseUrl}/`), get(`${service.baseUrl}/`), get(`${service.baseUrl}/`)]);
  expect(seen.map(({ steps }) => [steps.lookedUpMs, typeof steps.connectedMs])).toEqual([
    [null, 'number'],
    [null, 'number'],
    [null, 'number'],
  ]);
});

test('over TLS the handshake has its own step, even if it fails', async () => {
  const { port, caPem } = await startTlsServer();
  const trusting = observedSender(caPem);
  await trusting.get(`https://localhost:${port}/`);
  const steps = trusting.seen[0]?.steps;
  expect(steps?.connectedMs).not.toBeNull();
  expect(steps?.securedMs).toBeGreaterThanOrEqual(steps?.connectedMs ?? Infinity);
  const doubting = observedSender();
  await expect(doubting.get(`https://localhost:${port}/`)).rejects.toMatchObject({ code: 'NETWORK' });
  expect(doubting.seen[0]?.steps.connectedMs).not.toBeNull();
});

async function startTlsServer(): Promise<{ port: number; caPem: string }> {
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
  const caPem = readFileSync(cert, 'utf8');
  const server = createServer({ key: readFileSync(key), cert: caPem }, (_request, response) => response.end('x'));
  const port = await listen(server);
  return { port: port, caPem };
}
