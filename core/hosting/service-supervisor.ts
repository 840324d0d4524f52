// Keeps the embedded service running: starts its process (or thread), restarts it with growing pauses if it ends unexpectedly, and
// reports its state. The host decides which kind of process it is.
import type { AppProblem } from '@rainbell/contract/app-rpc';
import type { CancelTimer, Clock } from '@rainbell/shared';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import type { FromServiceProcess } from './service-messages.ts';

/** A started process. `onExit` must follow every start, whatever the end was. */
type ServiceRun = { requestClose: () => void; end: () => void };
export type ServiceRunEvents = { onMessage: (message: FromServiceProcess) => void; onExit: () => void };

export type SupervisorOptions = {
  start: (events: ServiceRunEvents) => ServiceRun;
  clock: Clock;
  onReady: (introduction: ServiceIntroduction) => void;
  onFailed: (problem: AppProblem) => void;
};

const restartDelaysMs = [1000, 5000, 30_000];
/** Uptime after which previous crashes no longer count. */
const forgivenAfterMs = 60_000;
const maxCloseMs = 5000;

export function superviseService(options: SupervisorOptions): { close: () => Promise<void> } {
  const { clock } = options;
  let restarts = 0;
  let readyAt: number | undefined;
  let isClosing = false;
  let exited: () => void = () => {};
  let cancelRestart: CancelTimer = () => {};
  let run: ServiceRun | undefined;
  start();

  function start(): void {
    run = options.start({ onMessage, onExit });
  }

  function onMessage(message: FromServiceProcess): void {
    if (message.kind === 'ready') {
      readyAt = clock.elapsed();
      options.onReady(message.introduction);
    } else {
      fail(`The weather service on this computer could not start: ${message.message}`);
    }
  }

  function onExit(): void {
    run = undefined;
    exited();
    if (isClosing) return;
    if (readyAt !== undefined && clock.elapsed() - readyAt >= forgivenAfterMs) restarts = 0;
    readyAt = undefined;
    const delayMs = restartDelaysMs[restarts];
    restarts += 1;
    if (delayMs === undefined) {
      fail('The weather service on this computer stopped several times. Start Rainbell again.');
      return;
    }
    fail(`The weather service on this computer stopped. Restarting it in ${delayMs / 1000} s.`);
    cancelRestart = clock.after(delayMs, start);
  }

  function fail(message: string): void {
    options.onFailed({ code: 'NETWORK', message, details: {} });
  }

  return {
    async close() {
      isClosing = true;
      cancelRestart();
      const running = run;
      if (!running) return;
      const end = Promise.withResolvers<void>();
      exited = end.resolve;
      running.requestClose();
      const cancelTimer = clock.after(maxCloseMs, running.end);
      await end.promise;
      cancelTimer();
    },
  };
}
