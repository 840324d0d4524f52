// Which way callbacks take: directly, with connections for each port, or through the operator's proxy.
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CallbackTransport, createCallbackRoutes } from '#service/monitors/delivery/callback-route.ts';

function start(transport: CallbackTransport = {}) {
  const ports: number[] = [];
  const routes = createCallbackRoutes({
    guard: {
      problem: async () => undefined,
      literalProblem: () => undefined,
      lookupFor(port) {
        ports.push(port);
        return () => {};
      },
    },
    connectionsPerHost: 2,
    connectTimeoutMs: 1_000,
    transport,
  });
  onTestFinished(() => routes.close());
  return { ports, routes, routeTo: (url: string) => routes.routeTo(new URL(url)) };
}

const proxyUrl = 'http://127.0.0.1:9';

describe('a callback with a proxy', () => {
  it.each(['http://hooks.example/', 'https://10.0.0.7/', 'http://localhost.example/', 'http://a127.0.0.1.example/'])(
    'to %s goes through it',
    (url) => {
      const { routeTo, ports } = start({ proxyUrl });
      const { dispatcher, isChecked } = routeTo(url);
      expect([isChecked, ports]).toEqual([false, []]);
      expect(routeTo('https://another.example:8443/').dispatcher).toBe(dispatcher);
    },
  );

  it.each([
    'http://127.0.0.1/',
    'http://127.9.8.7:8080/',
    'https://[::1]/',
    'http://localhost/',
    'http://hooks.localhost:8080/',
  ])('to this machine at %s goes directly', (url) => {
    expect(start({ proxyUrl }).routeTo(url).isChecked).toBe(true);
  });
});

describe('a direct callback', () => {
  it('has its address checked with the port of its URL', () => {
    const { routeTo, ports } = start();
    expect(routeTo('http://hooks.example/').isChecked).toBe(true);
    routeTo('https://hooks.example/');
    routeTo('https://hooks.example:8443/');
    expect(ports).toEqual([80, 443, 8_443]);
  });

  it('shares connections with others to the same port', () => {
    const { routeTo } = start();
    const { dispatcher } = routeTo('https://a.example/1');
    expect(routeTo('https://b.example/2').dispatcher).toBe(dispatcher);
    expect(routeTo('https://a.example:8443/').dispatcher).not.toBe(dispatcher);
  });

  it('gets new connections when the additional authority changes, and only then', () => {
    let authority: string | undefined;
    const { routeTo } = start({ extraCaPem: () => authority });
    const { dispatcher } = routeTo('https://a.example/');
    expect(routeTo('https://a.example/').dispatcher).toBe(dispatcher);
    authority = 'one';
    const next = routeTo('https://a.example/').dispatcher;
    expect(next).not.toBe(dispatcher);
    expect(dispatcher).toMatchObject({ closed: true });
    expect(routeTo('https://a.example/').dispatcher).toBe(next);
    expect(next).toMatchObject({ closed: false });
  });
});

it('all connections end with the service', async () => {
  const { routeTo, routes } = start({ proxyUrl });
  const dispatchers = ['http://localhost/', 'http://localhost:81/', 'http://hooks.example/'].map(
    (url) => routeTo(url).dispatcher,
  );
  expect(dispatchers).toMatchObject(Array(3).fill({ destroyed: false }));
  await routes.close();
  expect(dispatchers).toMatchObject(Array(3).fill({ destroyed: true }));
});
