import { AppFailure } from '../errors/app-failure.ts';
import type { Feature, Parts } from '../app/feature.ts';
import { runCase } from './check-cases.ts';
import { defaultTiming, openCheck } from './check-sender.ts';
import { HandlerSession } from './handler-session.ts';

/** Checks and develops a handler of callbacks, with the guard, the proxy, and the secret of the connection in use. */
export function endpointCheck(parts: Parts): Feature<'endpointCheck' | 'handler'> {
  const closing = new AbortController();
  let session: HandlerSession | undefined;
  let starting: Promise<unknown> = Promise.resolve();
  const running = (): HandlerSession => {
    if (session) return session;
    throw new AppFailure('NOT_FOUND', 'No handler is being developed. Start with its URL.');
  };
  const stop = async () => {
    const ended = session;
    session = undefined;
    await ended?.stop();
  };
  return {
    handlers: {
      endpointCheck: {
        async runCase({ input: { case: id, sender = null, responseMs, ...wanted }, signal = closing.signal }) {
          const timing = { ...defaultTiming, ...(responseMs !== undefined && { responseMs }) };
          const how = { timing, signal: AbortSignal.any([signal, closing.signal]) };
          return runCase(id, await openCheck(parts, { ...wanted, sender }, how));
        },
      },
      handler: {
        start({ input }) {
          const started = starting
            .catch(() => {})
            .then(async () => {
              await stop();
              session = await HandlerSession.start(parts, input);
              return session.state();
            });
          // One after the other, so that none is left running.
          starting = started;
          return started;
        },
        state: () => ({ session: session?.state() ?? null }),
        check: () => running().check(),
        sendEvent: () => running().sendEvent(),
        rain: () => running().rain(),
        replay: ({ input }) => running().replay(input.callbackId, input.bodyBase64),
        stop,
      },
    },
    notices: () => [{ topic: 'handler' }],
    async close() {
      closing.abort();
      await stop();
    },
  };
}
