// Serves the procedures to screens: over WebSocket (headless host) and over a MessagePort (Electron). oRPC has no
// back-pressure, so streams wait while much waits to be sent to a WebSocket.
import { RPCHandler as MessagePortHandler } from '@orpc/server/message-port';
import { RPCHandler as WebSocketHandler } from '@orpc/server/ws';
import { implement, type AnyProcedure, createRouterClient } from '@orpc/server';
import { type AppClient, type AppContract, appContract } from '@rainbell/contract/app-rpc';
import type { WebSocket } from 'ws';
import type { Log } from '../ports/log.ts';
import type { Clock } from '@rainbell/shared';
import type { Handlers, ScreenContext } from './handlers.ts';
import { failureOf, rethrowing } from '../hosting/running-app.ts';
import { toRpcError } from './rpc-errors.ts';

/** A message port of node:worker_threads, of the browser, or of Electron's main process. */
export type ScreenPort = Parameters<MessagePortHandler<ScreenContext>['upgrade']>[0];

export type AppRouter = Record<string, Record<string, AnyProcedure>>;

/** Streams pause while more than this waits for a screen. */
const highWaitingBytes = 64 * 1024;
const lookEveryMs = 50;

export function createRpcServing(router: AppRouter, log: Log, clock: Clock) {
  const options = { clientInterceptors: [rethrowing((error) => toRpcError(error, log, clock))] };
  const overWebSocket = new WebSocketHandler<ScreenContext>(router, options);
  const overMessagePort = new MessagePortHandler<ScreenContext>(router, options);
  return {
    serveWebSocket(socket: WebSocket) {
      void overWebSocket.upgrade(socket, { context: { whenWritable: () => whenWritable(socket, clock) } });
    },
    serveMessagePort(port: ScreenPort) {
      overMessagePort.upgrade(port, { context: { whenWritable: () => Promise.resolve() } });
    },
  };
}

/**
 * oRPC checks what comes in by the contract; rpc-errors.ts maps what is thrown. What goes out is our own, and is not checked again: the
 * tests fail if a procedure returns more or less than the contract declares (test/core/declared-outputs.ts).
 */
export function routerOf(handlers: Handlers<keyof AppContract>): AppRouter {
  type Implementer = { handler: (run: (call: never) => Promise<unknown>) => AnyProcedure };
  const at = implement(appContract).$config({ initialOutputValidationIndex: Number.NaN }) as unknown as Record<
    string,
    Record<string, Implementer>
  >;
  const router: AppRouter = {};
  for (const [subject, procedures] of Object.entries(handlers)) {
    const one: Record<string, AnyProcedure> = (router[subject] = {});
    for (const [name, handle] of Object.entries<(call: never) => unknown>(procedures)) {
      const procedure = at[subject]?.[name]?.handler(async (call) => {
        const answer = await handle(call);
        return answer === undefined ? {} : answer;
      });
      if (procedure) one[name] = procedure;
    }
  }
  return router;
}

/** Calls the procedures in the same process. What fails is an AppFailure, as over HTTP. */
export function createOwnClient(router: AppRouter, log: Log, clock: Clock): AppClient {
  return createRouterClient(router, {
    context: { whenWritable: () => Promise.resolve() },
    interceptors: [rethrowing((error) => failureOf(toRpcError(error, log, clock)))],
  }) as unknown as AppClient;
}

/** Resolves when little waits for the screen, or its socket is closed. */
async function whenWritable(socket: WebSocket, clock: Clock): Promise<void> {
  while (socket.readyState === socket.OPEN && socket.bufferedAmount > highWaitingBytes)
    await new Promise<void>((resolve) => clock.after(lookEveryMs, resolve));
}
