// How requests are let in: in turns, first the address or account that was served least, few handlers at once, with a limit per
// address for anonymous ones, and these never in the way of a request whose token is known.
import { type AddressInfo, connect } from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import { Agent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { introductionOf } from '#service/app/embedded-service.ts';
import { type AdmissionOptions, createAdmission } from '#service/limits/admission.ts';
import { withoutSlot } from '#service/http/request-slot.ts';
import { fetchAccessToken } from '#test/stories/service-process.ts';
import { weatherOperation } from '#test/service/http/weather-operation.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

/** A server behind the gate, whose turns come when the test says so. */
function startGate(options: Partial<AdmissionOptions> & { wait?: Promise<void>; waitAfter?: Promise<void> } = {}) {
  const planned: (() => void)[] = [];
  const server = Fastify({ trustProxy: true });
  onTestFinished(() => server.close());
  const accountOf = (token: string) => (token.startsWith('known') ? token : undefined);
  let arrived = 0;
  server.addHook('onRequest', async () => void (arrived += 1));
  createAdmission({ accountOf, defer: (run) => void planned.push(run), ...options }).guard(server);
  const served: string[] = [];
  const serve = async ({ ip }: FastifyRequest) => {
    served.push(ip);
    await options.wait;
    return 'served';
  };
  server.get('/', serve);
  server.post('/', serve);
  server.get('/monitors', serve);
  server.get('/weather', { config: { operation: weatherOperation } }, serve);
  server.get('/long', async (asked) => {
    served.push(asked.ip);
    return 'x'.repeat(640 * 1024);
  });
  server.post('/password', async (posted) => {
    served.push(posted.ip);
    await withoutSlot(async () => options.wait);
    await options.waitAfter;
    return 'served';
  });
  const sendRequest = (address: string, headers: Record<string, string> = {}) =>
    server.inject({ url: '/', headers: { 'x-forwarded-for': address, ...headers } });
  /** With the token of an account, which is served under its name. */
  const sendFor = (account: string, url = '/') =>
    server.inject({ url, headers: { 'x-forwarded-for': account, authorization: `Bearer known-${account}` } });
  const post = (address: string, url = '/') =>
    server.inject({ method: 'POST', url, headers: { 'x-forwarded-for': address }, payload: {} });
  const turn = () => planned.shift()?.();
  return {
    server,
    sendRequest,
    sendFor,
    post,
    served,
    turn,
    async hasArrived(count: number) {
      await expect.poll(() => arrived, { interval: 1 }).toBe(count);
    },
    async turns(count: number) {
      for (let number = 0; number < count; number += 1) {
        turn();
        await new Promise(setImmediate);
      }
    },
    /** Takes turns until that number of requests was served. */
    async hasServed(count: number) {
      await expect.poll(() => (served.length < count && turn(), served.length), { interval: 1 }).toBe(count);
    },
  };
}

describe('turns', () => {
  it('serves a request with a known token at once, and one with an unknown token in its turn', async () => {
    const { sendRequest, served, turn } = startGate();
    await sendRequest('10.0.0.1');
    const waiting = sendRequest('10.0.0.1', { authorization: 'Bearer made-up' });
    expect((await sendRequest('10.0.0.9', { authorization: 'Bearer known' })).body).toBe('served');
    expect(served).toEqual(['10.0.0.1', '10.0.0.9']);
    turn();
    expect((await waiting).body).toBe('served');
  });

  it.each(['pages', 'forms'])(
    'runs at most four anonymous %s at once, and requests with a known token beside them',
    async (what) => {
      const { promise: wait, resolve: answer } = Promise.withResolvers<void>();
      const { sendRequest, post, served, hasServed, turns } = startGate({ wait });
      const send = what === 'forms' ? post : sendRequest;
      const flood = Array.from({ length: 10 }, (_, index) => send(`10.0.1.${index}`));
      await turns(100);
      const known = sendRequest('10.0.0.9', { authorization: 'Bearer known' });
      await expect.poll(() => served).toContain('10.0.0.9');
      expect(served.filter((address) => address.startsWith('10.0.1.'))).toHaveLength(4);
      answer();
      await hasServed(11);
      await Promise.all([...flood, known]);
    },
  );

  it('lets others in while forms wait for a password, and at most four of these go on at once', async () => {
    const password = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    const { sendRequest, post, served, hasServed, turns } = startGate({
      wait: password.promise,
      waitAfter: rest.promise,
    });
    const forms = Array.from({ length: 10 }, (_, index) => post(`10.0.1.${index}`, '/password'));
    await hasServed(10);
    password.resolve();
    await turns(20);
    const page = sendRequest('10.0.0.9');
    await turns(100);
    // Four forms go on and wait for `rest`, so the page has to wait, too.
    expect(served).toHaveLength(10);
    rest.resolve();
    await hasServed(11);
    await turns(100);
    expect((await Promise.all([...forms, page])).map(({ body }) => body)).toEqual(Array(11).fill('served'));
  });

  it('does not count a form whose body has not arrived', async () => {
    const { server, sendRequest } = startGate({ defer: setImmediate });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as AddressInfo;
    const slow = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => slow.forEach((socket) => socket.destroy()));
    for (const socket of slow) {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{');
    }
    await expect
      .poll(async () => new Promise((resolve) => server.server.getConnections((_, count) => resolve(count))))
      .toBe(8);
    expect((await sendRequest('10.0.0.9')).statusCode).toBe(200);
  });
});

describe('turns are taken', () => {
  it.each(['addresses', 'accounts'])(
    'by %s, so that one that sends many requests delays mostly itself',
    async (who) => {
      const { sendFor, sendRequest, served, turns, hasArrived } = startGate();
      const send = who === 'accounts' ? sendFor : sendRequest;
      const greedy = Array.from({ length: 20 }, () => send('10.0.0.1'));
      await hasArrived(20);
      const honest = send('10.0.0.2');
      await hasArrived(21);
      await turns(40);
      expect(served.slice(0, 3)).toContain('10.0.0.2');
      await Promise.all([...greedy, honest]);
    },
  );

  it('weighed by the length of the responses', async () => {
    const { sendFor, served, turns, hasArrived } = startGate();
    // One response of ten turns, and one of one.
    const first = [sendFor('10.0.0.1', '/long'), sendFor('10.0.0.2')];
    await hasArrived(2);
    await turns(4);
    await Promise.all(first);
    const next = ['10.0.0.3', '10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.2', '10.0.0.2'].map((account) =>
      sendFor(account),
    );
    await hasArrived(8);
    await turns(20);
    await Promise.all(next);
    const rest = served.slice(3);
    expect(rest.lastIndexOf('10.0.0.2')).toBeLessThan(rest.lastIndexOf('10.0.0.1'));
  });

  it('by six requests of accounts at once, beside those for weather, which may wait for providers', async () => {
    const { promise: wait, resolve: answer } = Promise.withResolvers<void>();
    const { sendFor, served, turns, hasServed, hasArrived } = startGate({ wait });
    const many = Array.from({ length: 10 }, (_, index) => sendFor(`10.0.0.${index}`, '/monitors'));
    await hasArrived(10);
    await turns(30);
    expect(served).toHaveLength(6);
    const weather = Array.from({ length: 10 }, () => sendFor('10.0.1.1', '/weather'));
    await hasServed(16);
    answer();
    await hasServed(20);
    await Promise.all([...many, ...weather]);
  });
});

describe('the limit per address', () => {
  const limit = { burst: 3, perSecond: 2 };
  const statusesOf = async (gate: ReturnType<typeof startGate>, addresses: readonly string[]) => {
    const statuses: number[] = [];
    for (const address of addresses) {
      statuses.push((await gate.sendRequest(address)).statusCode);
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
      expect((await gate.sendRequest('10.0.0.1', { authorization: 'Bearer made-up' })).statusCode).toBe(200);
      gate.turn();
    }
  });
});

describe('a real service', () => {
  it('answers a flood of pages with 429 and a page, and serves other addresses, tokens, and the token endpoint', async () => {
    const service = await startOwnService();
    const { baseUrl } = service.announcement;
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
      text: expect.stringContaining('Too many requests from your IP address.'),
    });
    expect((await open(other, '/sign-in/')).status).toBe(200);
    // The token endpoint has limits of its own, and a token that works is never refused for what others do.
    const token = await fetchAccessToken(introductionOf(service));
    const weather = await request(`${baseUrl}/v2/weather/?location_lat=45&location_lng=7`, {
      dispatcher: flooder,
      headers: { authorization: `Bearer ${token}` },
    });
    await weather.body.dump();
    expect(weather.statusCode).toBe(200);
  });
});
