// The way that callbacks take: straight to the host, or through a proxy, trusting the operator's own certificates besides the
// system's. This machine is always reached directly, since a proxy elsewhere means another machine by that name.
import { getCACertificates } from 'node:tls';
import { Agent, buildConnector, ProxyAgent, type Dispatcher } from 'undici';
import { targetOf } from '#shared/network/callback-address.ts';
import type { CallbackGuard } from '#shared/network/callback-guard.ts';
import { skipContinue } from './skip-continue.ts';

export type CallbackTransport = {
  /** The operator's, as PEM; undefined for the system's alone. */
  caPem?: string | undefined;
  /** The authority that the sandbox control sets. It can change, and does not vouch for hosts behind the proxy. */
  extraCaPem?: () => string | undefined;
  proxyUrl?: string | undefined;
};

export type CallbackRoutes = {
  /** `isChecked`: the connection itself refuses forbidden addresses; otherwise who sends asks the guard before. */
  routeTo: (url: URL) => { dispatcher: Dispatcher; isChecked: boolean };
  close: () => Promise<void>;
};

type Dependencies = {
  guard: CallbackGuard;
  connectionsPerHost: number;
  connectTimeoutMs: number;
  transport: CallbackTransport;
};

export function createCallbackRoutes({
  guard,
  connectionsPerHost,
  connectTimeoutMs,
  transport,
}: Dependencies): CallbackRoutes {
  const { caPem, extraCaPem = () => undefined, proxyUrl } = transport;
  const shared = { connections: connectionsPerHost, pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  const connect = { timeout: connectTimeoutMs, ...trustIn([caPem]) };
  const agents = new Map<number, Agent>();
  let agentsTrust = extraCaPem();
  const proxy =
    proxyUrl === undefined
      ? undefined
      : new ProxyAgent({ ...shared, uri: proxyUrl, requestTls: connect, proxyTls: connect, proxyTunnel: true });

  // One agent per port, because the guard must know the port and `lookup` is not told.
  function agentFor(port: number): Agent {
    forgetOldTrust();
    const known = agents.get(port);
    if (known) return known;
    const trusted = trustIn([caPem, agentsTrust]);
    const open = buildConnector({ ...connect, ...trusted, lookup: guard.lookupFor(port) });
    const agent = new Agent({
      ...shared,
      connect: (options, done) =>
        open(options, (error, socket) => {
          if (error) return done(error, null);
          skipContinue(socket);
          return done(null, socket);
        }),
    });
    agents.set(port, agent);
    return agent;
  }

  /** What is under way ends over the connections that it has. */
  function forgetOldTrust(): void {
    const current = extraCaPem();
    if (current === agentsTrust) return;
    agentsTrust = current;
    for (const agent of agents.values()) void agent.close();
    agents.clear();
  }

  return {
    routeTo: (url) =>
      proxy && !isThisMachine(url)
        ? { dispatcher: proxy, isChecked: false }
        : { dispatcher: agentFor(targetOf(url).port), isChecked: true },
    async close() {
      await Promise.all([...agents.values(), ...(proxy ? [proxy] : [])].map((agent) => agent.destroy()));
    },
  };
}

function trustIn(pems: readonly (string | undefined)[]): { ca?: string[] } {
  const own = pems.filter((pem) => pem !== undefined);
  return own.length === 0 ? {} : { ca: [...getCACertificates('default'), ...own] };
}

function isThisMachine({ hostname }: URL): boolean {
  return /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(hostname);
}
