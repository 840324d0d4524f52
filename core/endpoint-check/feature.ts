import { AppFailure } from '../errors/app-failure.ts';
import type { Feature, Parts } from '../app/feature.ts';
import { createAppEndpointCheck } from './app-endpoint-check.ts';
import { HandlerSession } from './handler-session.ts';

/** Checks and develops a handler of callbacks, with the guard, the proxy, and the secret of the connection in use. */
export function endpointCheck(parts: Parts): Feature<'endpointCheck' | 'handler'> {
  const { sending, webhookSecrets } = parts;
  const check = createAppEndpointCheck({ ...sending, secrets: webhookSecrets.current });
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
        runCase: ({ input, signal }) => check.runCase(input, signal),
      },
      handler: {
        start({ input }) {
          const started = starting
            .catch(() => {})
            .then(async () => {
              await stop();
              session = await HandlerSession.start({ ...parts, check }, input);
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
      check.close();
      await stop();
    },
  };
}
