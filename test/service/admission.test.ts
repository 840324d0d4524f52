// How anonymous requests are let in: in turns, one address after the other, with a limit per address, and never in the way of
// a request whose token is known.
import Fastify from 'fastify';
import { pino } from 'pino';
import { Agent, request } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '#contract/clock.ts';
import { configWith } from '#service/config.ts';
import { createService } from '#service/create-service.ts';
import { type AdmissionOptions, createAdmission } from '#service/http/admission.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { fetchAccessToken } from '#test/story/service-process.ts';

/** A server behind the gate, whose turns come when the test says so. */
function startGate(options: Partial<AdmissionOptions> & { wait?: Promise<void> } = {}) {
  const turns: (() => void)[] = [];
  const server = Fastify({ trustProxy: true });
  onTestFinished(() => server.close());
  const isKnownToken = (token: string) => token === 'known';
  const admission = createAdmission({ isKnownToken, defer: (run) => void turns.push(run), ...options });
  server.addHook('onRequest', admission.admit);
  server.addHook('onSend', admission.release);
  const served: string[] = [];
  server.get('/', async (asked) => {
    served.push(asked.ip);
    await options.wait;
    return 'served';
  });
  const ask = (address: string, headers: Record<string, string> = {}) =>
    server.inject({ url: '/', headers: { 'x-forwarded-for': address, ...headers } });
  return { ask, served, turn: () => turns.shift()?.() };
}

describe('turns', () => {
  it('serves one anonymous request per turn, and each address in its turn', async () => {
    const { ask, served, turn } = startGate();
    const flood = Array.from({ length: 5 }, () => ask('10.0.0.1'));
    const late = [ask('10.0.0.2'), ask('10.0.0.3')];
    await flood[0];
    expect(served).toEqual(['10.0.0.1']);
    for (let count = 2; count <= 7; count += 1) {
      turn();
      await vi.waitFor(() => expect(served).toHaveLength(count));
    }
    await Promise.all([...flood, ...late]);
    expect(served).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.1', '10.0.0.1', '10.0.0.1']);
  });

  it('serves a request with a known token at once, and one with an unknown token in its turn', async () => {
    const { ask, served, turn } = startGate();
    await ask('10.0.0.1');
    const waiting = ask('10.0.0.1', { authorization: 'Bearer made-up' });
    expect((await ask('10.0.0.9', { authorization: 'Bearer known' })).body).toBe('served');
    expect(served).toEqual(['10.0.0.1', '10.0.0.9']);
    turn();
    expect((await waiting).body).toBe('served');
  });

  it('opens at most four anonymous page views at once, and requests with a known token beside them', async () => {
    const { promise: wait, resolve: answer } = Promise.withResolvers<void>();
    const { ask, served, turn } = startGate({ wait });
    const flood = Array.from({ length: 10 }, () => ask('10.0.0.1'));
    await vi.waitFor(() => expect(served).toHaveLength(1));
    for (let count = 0; count < 20; count += 1) turn();
    const known = ask('10.0.0.9', { authorization: 'Bearer known' });
    await vi.waitFor(() => expect(served).toContain('10.0.0.9'));
    expect(served.filter((address) => address === '10.0.0.1')).toHaveLength(4);
    answer();
    await vi.waitFor(() => {
      turn();
      expect(served).toHaveLength(11);
    });
    await Promise.all([...flood, known]);
  });

  it('serves the next request at once when no one is waiting', async () => {
    const { ask, served, turn } = startGate();
    await ask('10.0.0.1');
    turn();
    await ask('10.0.0.1');
    expect(served).toHaveLength(2);
  });
});

describe('the limit per address', () => {
  const limit = { burst: 3, perSecond: 2 };
  const statusesOf = async (gate: ReturnType<typeof startGate>, addresses: readonly string[]) => {
    const statuses: number[] = [];
    for (const address of addresses) {
      statuses.push((await gate.ask(address)).statusCode);
      gate.turn();
    }
    return statuses;
  };

  it('counts each IPv6 network as one address, and lets it in again after the time it names', async () => {
    let now = 0;
    const gate = startGate({ limit, now: () => now });
    const network = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4'];
    expect(await statusesOf(gate, [...network, '2001:db8:0:1::1'])).toEqual([200, 200, 200, 429, 200]);
    now = 499;
    expect(await statusesOf(gate, ['2001:db8::5'])).toEqual([429]);
    now = 500;
    expect(await statusesOf(gate, ['2001:db8::5', '2001:db8::6'])).toEqual([200, 429]);
  });

  it('does not count requests that carry credentials', async () => {
    const gate = startGate({ limit });
    for (let count = 0; count < 10; count += 1) {
      expect((await gate.ask('10.0.0.1', { authorization: 'Bearer made-up' })).statusCode).toBe(200);
      gate.turn();
    }
  });
});

describe('a real service', () => {
  it('answers a flood of pages with 429 and a page, and serves other addresses, tokens, and the token endpoint', async () => {
    const service = await createService({
      config: configWith({ port: 0, dataFolder: temporaryFolder(), provider: 'simulation' }),
      clock: systemClock,
      log: pino({ level: 'silent' }),
      workers: { places: new URL(import.meta.resolve('#service/places/places-worker.ts')) },
    });
    onTestFinished(() => service.close());
    const { baseUrl } = service.introduction;
    const agentAt = (localAddress: string) => {
      const agent = new Agent({ connections: 8, localAddress });
      onTestFinished(() => agent.close());
      return agent;
    };
    const [flooder, other] = [agentAt('127.0.1.1'), agentAt('127.0.1.2')];
    const open = async (dispatcher: Agent, path: string) => {
      const answer = await request(`${baseUrl}${path}`, { dispatcher });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    };
    let refused: Awaited<ReturnType<typeof open>> | undefined;
    for (let count = 0; count < 4_000 && !refused; count += 40) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => open(flooder, '/favicon.ico')));
      refused = answers.find(({ status }) => status === 429);
    }
    expect(refused).toMatchObject({
      headers: { 'content-type': 'text/html; charset=utf-8', 'retry-after': '1', 'x-frame-options': 'DENY' },
      text: expect.stringContaining('Too many requests came from your network address.'),
    });
    expect((await open(other, '/sign-in/')).status).toBe(200);
    // The token endpoint has limits of its own, and a token that works is never refused for what others do.
    const token = await fetchAccessToken(service.introduction);
    const weather = await request(`${baseUrl}/v2/weather/?location_lat=45&location_lng=7`, {
      dispatcher: flooder,
      headers: { authorization: `Bearer ${token}` },
    });
    await weather.body.dump();
    expect(weather.statusCode).toBe(200);
  });
});
