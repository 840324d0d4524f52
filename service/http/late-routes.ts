// Routes that are loaded and registered on the first request for one of them, so that they don't delay the start.
import type { Logger } from 'pino';
import { respondWithError } from './refused-connections.ts';
import type { PreHandler } from './server.ts';

type Dependencies = {
  isTheirs: (url: string) => boolean;
  /** Called once; after a failure, once more with the next request. */
  open: () => Promise<PreHandler>;
  log: Logger;
};

export function createLateRoutes({ isTheirs, open, log }: Dependencies): PreHandler {
  let opening: Promise<void> | undefined;
  let handle: PreHandler | undefined;
  return (request, response) => {
    if (!isTheirs(request.url ?? '')) return false;
    if (handle) return handle(request, response);
    opening ??= open().then((opened) => void (handle = opened));
    opening.then(
      () => !request.socket.destroyed && handle?.(request, response),
      (error: unknown) => {
        opening = undefined;
        log.error({ err: error }, 'the pages could not be loaded');
        respondWithError(response, 'server_error', 'Something went wrong on our side.');
      },
    );
    return true;
  };
}
