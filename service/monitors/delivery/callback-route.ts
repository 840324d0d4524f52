// The connections of callbacks, each checked by the guard.
import { getCACertificates } from 'node:tls';
import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type CallbackGuard, maxResponseHeaderBytes, targetOf, trustSystemCertificates } from '@rainbell/shared/node';

export type CallbackRoutes = ReturnType<typeof createCallbackRoutes>;

type Dependencies = {
  guard: CallbackGuard;
  connectionsPerHost: number;
  connectTimeoutMs: number;
  /** The authority set by the sandbox controls, which can change. */
  extraCaPem: () => string | undefined;
};

export function createCallbackRoutes({ guard, connectionsPerHost, connectTimeoutMs, extraCaPem }: Dependencies) {
  const shared = {
    connections: connectionsPerHost,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxResponseHeaderBytes,
  };
  const connect = { timeout: connectTimeoutMs };
  const agents = new Map<string, Agent>();

  // One agent per port, which the guard needs and `lookup` does not receive, and per authority, which the sandbox can change.
  function agentFor(port: number): Agent {
    const ca = extraCaPem();
    const key = `${port} ${ca}`;
    const known = agents.get(key);
    if (known) return known;
    const trusted = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
    const open = buildConnector({ ...connect, ...trusted, lookup: guard.lookupFor(port) });
    const agent = new Agent({ ...shared, connect: skipping(open) });
    agents.set(key, agent);
    return agent;
  }

  return {
    /** Its connections reject forbidden addresses. */
    routeTo(url: URL): Dispatcher {
      if (url.protocol === 'https:') trustSystemCertificates();
      return agentFor(targetOf(url).port);
    },
    async close(): Promise<void> {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

function skipping(open: buildConnector.connector): buildConnector.connector {
  return (options, done) =>
    open(options, (error, socket) => {
      if (error) return done(error, null);
      skipContinue(socket);
      return done(null, socket);
    });
}

// Some receivers send `100 Continue` unexpectedly. RFC 9110 section 15.2 requires clients to accept that; undici destroys the
// connection instead, so the event would be sent again. The bytes are dropped before undici reads them.

const start = 'HTTP/1.1 100';
const one = start.charCodeAt(9);
/** Leaves a longer interim head to undici, which rejects it. */
const maxHeadBytes = 4_096;

function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let begun: Buffer | undefined;
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null) return null;
      const data = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
      begun = undefined;
      const rest = withoutContinue(data);
      if (rest === 'incomplete') begun = data;
      else if (rest.length > 0) return rest;
    }
  };
}

function withoutContinue(data: Buffer): Buffer | 'incomplete' {
  let rest = data;
  // Fast path: nearly every status begins differently.
  while (rest.length > 0 && (rest[9] ?? one) === one && start.startsWith(rest.toString('latin1', 0, start.length))) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return rest.length < maxHeadBytes ? 'incomplete' : rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}
