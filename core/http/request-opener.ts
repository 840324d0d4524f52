// Opens HTTP requests of the app, on connections that are kept for the next one, by a proxy and with certificates to trust.
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { Clock } from '@rainbell/shared';
import { maxResponseHeaderBytes } from '@rainbell/shared/node';
import type { HeaderList } from '@rainbell/contract/app-rpc';

type Opening = {
  method: string;
  /** Without those that follow from the URL and the body. */
  headers: HeaderList;
  bodyBytes: number;
  /** Certificates to trust in addition. */
  pems: readonly string[];
  proxyUrl: string | null;
  /** Without a proxy, which looks names up itself. */
  lookup?: LookupFunction;
  signal: AbortSignal;
};

/** How long a connection is kept for another request, or a proxy may take to open one: many servers end older ones after 5 seconds. */
const idleMs = 4000;

/** `keepsAlive`: false for a connection per request. What talks HTTP is loaded for the first one. */
export function createRequestOpener({ keepsAlive = true, maxSockets = Infinity } = {}) {
  const agents = new Map<string, Agent>();
  return {
    async open(url: URL, opening: Opening): Promise<ClientRequest> {
      const { method, headers, bodyBytes, pems, proxyUrl, lookup, signal } = opening;
      const { Agent, request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
      const key = `${url.protocol} ${proxyUrl}`;
      const proxied = proxyUrl !== null && { proxyEnv: { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl } };
      const agent = agents.get(key) ?? new Agent({ keepAlive: keepsAlive, maxSockets, timeout: idleMs, ...proxied });
      agents.set(key, agent);
      const hasBody = bodyBytes > 0 || !/^(GET|HEAD)$/.test(method);
      return request(url, {
        method,
        agent,
        signal,
        maxHeaderSize: maxResponseHeaderBytes,
        ...(pems.length > 0 && { ca: [...getCACertificates('default'), ...pems] }),
        ...(proxyUrl === null && lookup && { lookup }),
        headers: ['host', url.host, ...headers.flat(), ...(hasBody ? ['content-length', String(bodyBytes)] : [])],
      });
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Returns the response as soon as its headers have arrived. `connectMs`: time limit for the connection and its TLS handshake. */
export function responseTo(
  request: ClientRequest,
  { clock, connectMs, signal }: { clock: Pick<Clock, 'after'>; connectMs: number; signal: AbortSignal },
): Promise<IncomingMessage> {
  const cancel = clock.after(connectMs, () => {
    const { socket } = request;
    const isSecuring = socket && 'secureConnecting' in socket && socket.secureConnecting === true;
    if (socket?.connecting || isSecuring) request.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }));
  });
  return new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    // After the response: the receiver may close before it read all.
    request.on('error', reject);
    // Without an error, such as after 101 Switching Protocols.
    request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    // A request that waits for a proxy's tunnel reports nothing.
    signal.addEventListener('abort', () => reject(signal.reason));
    if (signal.aborted) reject(signal.reason);
  }).finally(cancel);
}

/** Milliseconds since the start of the request; null if the step did not happen or is unknown. */
export type ConnectSteps = { lookedUpMs: number | null; connectedMs: number | null; securedMs: number | null };

/** Notes when the request's socket was looked up, connected, and secured, unless it was connected for an earlier one. */
export function noteSteps(request: ClientRequest, steps: ConnectSteps, since: () => number): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    socket.once('lookup', () => void (steps.lookedUpMs ??= since()));
    socket.once('connect', () => void (steps.connectedMs ??= since()));
    socket.once('secureConnect', () => void (steps.securedMs ??= since()));
  });
}
