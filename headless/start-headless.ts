// The composition root of the headless host: the core, the service in a thread of its own, and the server of the
// screens. The host answers before the service is ready; the screens say that it is starting.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Clock, systemCode } from '@rainbell/shared';
import {
  AppFailure,
  type Core,
  createCore,
  type Host,
  type Log,
  type ServiceProcessData,
  superviseService,
  type SupervisorOptions,
  type ToServiceProcess,
} from '@rainbell/core';
import { createHeadlessHost } from './headless-host.ts';
import { startScreenServer, type ScreenServer } from './screen-server.ts';

export type HeadlessOptions = {
  /** Undefined: 8421, or a free port if it is in use. */
  port: number | undefined;
  dataFolder: string;
  screensFolder: string;
  version: string;
  clock: Clock;
  log: Log;
  logFile: string;
  servicePort: number;
  workers: { service: URL; receiver: URL; places: URL; json: URL };
  /** Called with a message if the service could not start or stopped; the screens show it too. */
  onServiceFailed?: (sentence: string) => void;
};

export type Headless = Awaited<ReturnType<typeof startHeadless>>;

const preferredPort = 8421;

/** Throws AppFailure STORAGE, or the system's error if the requested port is in use. */
export async function startHeadless(parts: HeadlessOptions) {
  const { dataFolder, clock, log, workers, version, logFile } = parts;
  let screens: ScreenServer | undefined;
  const host: Host = {
    ...createHeadlessHost({ dataFolder, clock, log }),
    adminPorts: () => (screens ? [screens.port] : []),
    newAddress(hash) {
      if (screens) return screens.newAddress(hash);
      throw new AppFailure('UNAVAILABLE', 'Rainbell is still starting. Try again in a moment.');
    },
  };
  const core = await createCore({ dataFolder, clock, log, host, version, workers });
  let listening: ScreenServer;
  try {
    listening = await listen(parts, core);
    screens = listening;
  } catch (error) {
    await core.close();
    throw error;
  }
  const startService = () =>
    superviseService({
      start: serviceThread(
        workers.service,
        { dataFolder, port: parts.servicePort, logFile, environment: core.serviceEnvironment() },
        log,
      ),
      clock,
      onReady: core.connectSandbox,
      onFailed(problem) {
        core.sandboxFailed(problem);
        parts.onServiceFailed?.(problem.message);
      },
    });
  // The receiver first: it is what the user's programs wait for.
  const service = core.receiverStarted().then(startService);
  return {
    core,
    newAddress: listening.newAddress,
    async close() {
      await listening.close();
      // Core may still have something for the sandbox: a delete that was pending, the code of a sign-in.
      await core.close();
      await (await service).close();
    },
  };
}

async function listen({ port, screensFolder, clock }: HeadlessOptions, core: Core): Promise<ScreenServer> {
  const options = { folder: screensFolder, clock, serveScreen: core.serveWebSocket };
  try {
    return await startScreenServer({ ...options, port: port ?? preferredPort });
  } catch (error) {
    if (port !== undefined || systemCode(error) !== 'EADDRINUSE') throw error;
    return startScreenServer({ ...options, port: 0 });
  }
}

/** Twice as much memory would stay taken from the start on. One user's requests leave few young objects. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/** In a thread of its own, so that slow queries never hold up a screen. */
function serviceThread(workerUrl: URL, workerData: ServiceProcessData, log: Log): SupervisorOptions['start'] {
  return ({ onMessage, onExit }) => {
    const worker = new Worker(workerUrl, { workerData, name: 'service', resourceLimits });
    worker.on('message', onMessage);
    worker.on('error', (error) => log.error({ err: error }, 'the service thread failed'));
    worker.once('exit', onExit);
    return {
      requestClose: () => worker.postMessage({ kind: 'close' } satisfies ToServiceProcess),
      end: () => void worker.terminate(),
    };
  };
}

/** Where plain Node finds the threads' entries. */
export function threadEntries(): HeadlessOptions['workers'] {
  return {
    service: new URL(import.meta.resolve('@rainbell/headless/service-worker')),
    receiver: new URL(import.meta.resolve('@rainbell/core/receiver-worker')),
    places: new URL(import.meta.resolve('@rainbell/core/places-worker')),
    json: new URL(import.meta.resolve('@rainbell/core/json-worker')),
  };
}

export function logFileIn(dataFolder: string): string {
  return join(dataFolder, 'logs', 'rainbell.log');
}
