// docs/tokens.md T18 for deliveries: callbacks trust Node's certificates and those of the sandbox, and go through the operator's
// proxy, past which the guard still looks.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallbackGuard } from '#shared/network/callback-guard.ts';
import type { CallbackTransport } from '#service/monitors/delivery/callback-route.ts';
import { createCallbackSender } from '#service/monitors/delivery/send-callback.ts';
import { oddResponses, startRawReceiver } from './raw-receiver.ts';
import { startProxy, startTlsHost } from '#test/stories/tls-host.ts';

/** Lets everything pass but one name. */
const guard: CallbackGuard = {
  problem: async (address) => (address.includes('forbidden') ? 'is forbidden' : undefined),
  literalProblem: () => undefined,
  lookupFor: () => (_name, _options, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]),
};

async function start(name: string, transport: (caPem: string) => CallbackTransport) {
  const seen: string[] = [];
  const { baseUrl, caPem } = await startTlsHost((request, response) => {
    seen.push(request.url ?? '');
    response.end();
  }, name);
  const { port } = new URL(baseUrl);
  const needs = { guard, timeoutMs: 5000, connectionsPerHost: 2, elapsedMs: () => 0 };
  const sender = createCallbackSender({ ...needs, transport: transport(caPem) });
  onTestFinished(() => sender.close());
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
  return { seen, port, send: (host: string) => sender.send(`https://${host}:${port}/hook`, '{}', headers) };
}

describe('a callback (docs/tokens.md T18)', () => {
  test('reaches a host while the sandbox trusts its authority, and no longer once that is withdrawn', async () => {
    let extraCaPem: string | undefined;
    let authority = '';
    const { send } = await start('hooks.example', (caPem) => {
      authority = caPem;
      return { extraCaPem: () => extraCaPem };
    });
    const seen: (number | null)[] = [];
    for (extraCaPem of [undefined, authority, undefined]) seen.push((await send('hooks.example')).status);
    expect(seen).toEqual([null, 200, null]);
    extraCaPem = authority;
    expect(await send('other.example')).toMatchObject({ status: null, error: 'tls-name' });
  });

  test('goes through the proxy, but to this machine directly, and to a forbidden host not at all', async () => {
    const { proxyUrl, tunnels } = await startProxy();
    const { send, port } = await start('hooks.example', (caPem) => {
      // As NODE_EXTRA_CA_CERTS does.
      setDefaultCACertificates([...getCACertificates('default'), caPem]);
      return { proxyUrl };
    });
    expect(await send('hooks.example')).toMatchObject({ status: 200 });
    expect(await send('forbidden.example')).toMatchObject({ status: null, error: 'forbidden' });
    await send('localhost');
    expect(tunnels).toEqual([`hooks.example:${port}`]);
  });

  test.each(oddResponses)('counts as delivered through a proxy, too, %s', async (_name, pieces, end) => {
    const { proxyUrl, tunnels } = await startProxy();
    const receiver = await startRawReceiver(pieces, end);
    const needs = { guard, timeoutMs: 5000, connectionsPerHost: 2, elapsedMs: () => 0 };
    const sender = createCallbackSender({ ...needs, transport: { proxyUrl } });
    onTestFinished(() => sender.close());
    const address = receiver.url.replace('127.0.0.1', 'hooks.example');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
    expect(await sender.send(address, '{}', headers)).toMatchObject({ error: null, answer: 'ok' });
    expect(receiver.requests()).toBe(1);
    expect(tunnels).toEqual([new URL(address).host]);
  });

  test('reports an invalid response if it has two lengths', async () => {
    const both = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';
    const receiver = await startRawReceiver([both]);
    const sender = createCallbackSender({ guard, timeoutMs: 5000, connectionsPerHost: 2, elapsedMs: () => 0 });
    onTestFinished(() => sender.close());
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
    expect(await sender.send(receiver.url, '{}', headers)).toMatchObject({ status: null, error: 'bad-answer' });
  });
});
