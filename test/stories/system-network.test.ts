// The system's certificates and its proxy, for what core and the service request. Both apply to a whole process, so this file has its own.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { createRequestSender } from '#core/http/send-request.ts';
import { createSendGuard } from '#core/http/send-guard.ts';
import { createCheckSender, defaultTiming } from '#core/endpoint-check/check-sender.ts';
import { createHttpSender, httpLimits } from '#core/http/http-sender.ts';
import { plainTransport, type Transport } from '#core/http/transport.ts';
import { createProviderHttp } from '#service/weather/fetch/provider-http.ts';
import { setProxyResolver } from '#shared/node/system-network.ts';
import { systemClock } from '#shared/time/clock.ts';
import { testJsonReader } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { listen } from '#test/setup/listen.ts';
import { startProxy, startTlsHost } from './tls-host.ts';

afterEach(() => setProxyResolver(undefined));

const senderBy = (transport: Transport) =>
  createHttpSender({ clock: systemClock, limits: httpLimits, json: testJsonReader(), transport });

/** Sends a request in each of the ways that the app and the service have; returns the statuses. */
async function sendAll(baseUrl: string, transport: Transport = plainTransport): Promise<unknown[]> {
  const clock = systemClock;
  const http = senderBy(transport);
  const options = { clock, guard: createSendGuard({ adminPorts: () => [] }), authority: () => undefined };
  const sender = createRequestSender({ ...options, transport: () => transport });
  const check = createCheckSender({ ...options, transport: () => transport, timing: defaultTiming });
  const provider = createProviderHttp({ userAgent: 'test', clock });
  onTestFinished(async () => {
    sender.close();
    await Promise.all([http.close(), provider.close()]);
  });
  const post = { method: 'POST', url: `${baseUrl}/sent`, headers: [], body: Buffer.from('{}') };
  return Promise.all([
    http.send({ method: 'GET', url: `${baseUrl}/api`, headers: [] }).then(({ status }) => status),
    sender.send(post, 100).then(({ outcome }) => (outcome.kind === 'answered' ? outcome.status : outcome.message)),
    check
      .send(`${baseUrl}/checked`, { sent: 'x', headers: [], body: Buffer.from('{}') })
      .then(({ status, problem }) => status ?? problem),
    provider.fetchJson('test', new URL(`${baseUrl}/weather`)),
  ]);
}

const answers = [200, 200, 200, {}];

it('a host that only the system’s certificates vouch for is trusted', async () => {
  const host = await startTlsHost((_request, response) => response.end('{}'));
  const file = join(temporaryFolder(), 'authorities.pem');
  writeFileSync(file, host.caPem);
  vi.stubEnv('SSL_CERT_FILE', file);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await sendAll(host.baseUrl)).toEqual(answers);
});

it('the system’s proxy carries requests to other machines, unless the connection has its own', async () => {
  const [system, own] = [await startProxy(), await startProxy()];
  setProxyResolver(async () => system.proxyUrl);
  // Only a proxy resolves this name; this one notes plain requests and refuses them.
  const elsewhere = 'http://weather.example.test:8080';
  await sendAll(elsewhere).catch(() => {});
  await expect.poll(() => system.tunnels).toEqual(Array.from({ length: 4 }, () => 'weather.example.test:8080'));
  await sendAll(elsewhere, { caPem: null, proxyUrl: own.proxyUrl }).catch(() => {});
  await expect.poll(() => [own.tunnels.length, system.tunnels.length]).toEqual([3, 5]);
});

it('a connection that ends while the proxy is looked up sends nothing', async () => {
  const { proxyUrl, tunnels } = await startProxy();
  const found = Promise.withResolvers<string>();
  setProxyResolver(() => found.promise);
  const http = senderBy(plainTransport);
  const answer = http.send({ method: 'GET', url: 'http://weather.example.test:8080/', headers: [] });
  const closed = http.close();
  found.resolve(proxyUrl);
  await expect(answer).rejects.toMatchObject({ message: 'The request was canceled in the app.' });
  await closed;
  expect(tunnels).toEqual([]);
});

it('a certificate that an https: proxy’s connection refuses is not blamed on the service alone', async () => {
  const { baseUrl, caPem } = await startTlsHost((_request, response) => response.end());
  const http = senderBy({ caPem, proxyUrl: baseUrl });
  onTestFinished(() => http.close());
  const answer = http.send({ method: 'GET', url: 'https://weather.example.test/', headers: [] });
  await expect(answer).rejects.toThrow('The certificate of weather.example.test or of its proxy could not be verified');
});

it('the system’s proxy carries nothing to this machine', async () => {
  const { proxyUrl, tunnels } = await startProxy();
  setProxyResolver(async () => proxyUrl);
  const port = await listen(createServer((_request, response) => response.end('{}')));
  expect([await sendAll(`http://127.0.0.1:${port}`), tunnels]).toEqual([answers, []]);
});
