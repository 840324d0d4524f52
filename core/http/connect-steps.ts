// Measures when a new socket was looked up, connected, and secured, for the request that opened it. A request on a reused socket
// has no such steps. Behind a proxy undici connects on its own, so the steps are unknown.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { Clock } from '@rainbell/shared';

/** Milliseconds since the start of the request; null if the step did not happen or is unknown. */
export type ConnectSteps = { lookedUpMs: number | null; connectedMs: number | null; securedMs: number | null };

/** `startedAt`: by `elapsed()`. */
type Traced = { steps: ConnectSteps; startedAt: number };

export type ConnectTrace = ReturnType<typeof createConnectTrace>;

export function createConnectTrace(clock: Clock) {
  // A client holds one request at a time, and connects for it in the request's own asynchronous context.
  const tracing = new AsyncLocalStorage<Traced>();
  return {
    /** Runs the exchange, and records its steps if it opens a socket. */
    follow: <Answer>(traced: Traced, run: () => Promise<Answer>): Promise<Answer> => tracing.run(traced, run),
    /** Connects as `connect` does, and notes the steps. */
    connector:
      (connect: buildConnector.connector): buildConnector.connector =>
      (target, callback) => {
        // It returns the socket, though its type does not say so; the callback has it only when all is over.
        const socket: unknown = connect(target, callback);
        const traced = tracing.getStore();
        if (traced && socket instanceof Socket) note(socket, traced, clock);
      },
  };
}

function note(socket: Socket, { steps, startedAt }: Traced, clock: Clock): void {
  const since = () => clock.elapsed() - startedAt;
  socket.once('lookup', () => void (steps.lookedUpMs ??= since()));
  socket.once('connect', () => void (steps.connectedMs ??= since()));
  socket.once('secureConnect', () => void (steps.securedMs ??= since()));
}

export function noConnectSteps(): ConnectSteps {
  return { lookedUpMs: null, connectedMs: null, securedMs: null };
}
