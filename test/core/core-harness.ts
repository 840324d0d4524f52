// A core with a screen's client over a real WebSocket, as the renderer has it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { systemClock, type Clock } from '#shared/time/clock.ts';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import type { AppStatus } from '#contract/app-rpc/app.ts';
import type { Settings } from '#contract/app-rpc/settings.ts';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import type { CoreOptions } from '#core/app/base.ts';
import { createCore, type Core } from '#core/app/create-core.ts';
import { createJsonReader, type JsonReader } from '#core/http/json-reader.ts';
import { createPlaceSearch } from '#core/places/place-search.ts';
import type { Host } from '#core/ports/host.ts';
import type { Log } from '#core/ports/log.ts';
import { bundleOf, isBuilt } from '#scripts/built.cjs';
import { freePort } from '#test/setup/free-ports.ts';
import { withDeclaredOutputs } from './declared-outputs.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const quietLog: Log = pino({ level: 'silent' });

/** In the bundle that `npm test` built, which starts in half the time, while it is as new as its sources. */
function entryOf(entry: string): URL {
  const source = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
  return pathToFileURL(isBuilt() ? bundleOf(source) : source);
}

export const threadEntries = {
  receiver: entryOf('core/receiver/server/receiver-worker.ts'),
  places: new URL(import.meta.resolve('#core/places/places-worker.ts')),
  json: new URL(import.meta.resolve('#core/http/json-worker.ts')),
};

/** One for all cores of this process. */
const places = createPlaceSearch({ workerUrl: threadEntries.places, log: quietLog });

export function testJsonReader(): JsonReader {
  return createJsonReader(threadEntries.json);
}

export type MemoryHost = Host & {
  stored: Map<string, string>;
  written: Settings[];
  /** As if the machine woke up. */
  resume: () => void;
};

export function createMemoryHost(settings: unknown = {}): MemoryHost {
  const stored = new Map<string, string>();
  const written: Settings[] = [];
  const resumed = new Set<() => void>();
  return {
    kind: 'headless',
    notices: () => [],
    stored,
    written,
    secrets: {
      protection: 'in memory',
      read: async (name) => stored.get(name) ?? null,
      stateOf: (name) => (stored.has(name) ? 'stored' : 'absent'),
      write: async (name, value) => {
        if (value === null) stored.delete(name);
        else stored.set(name, value);
      },
    },
    settings: {
      read: () => settings,
      write: (values) => void written.push(values),
      backUp: () => 'settings.json.kept',
    },
    openExternal: async () => {},
    onResume(run) {
      resumed.add(run);
      return () => void resumed.delete(run);
    },
    resume() {
      for (const run of resumed) run();
    },
  };
}

export type CoreHarness = {
  core: Core;
  client: AppClient;
  socket: WebSocket;
  host: MemoryHost;
  dataFolder: string;
  /** Resolves with the first status that fits. */
  statusWhere: (fits: (status: AppStatus) => boolean) => Promise<AppStatus>;
  close: () => Promise<void>;
};

export async function startCore({
  sandbox,
  clock = systemClock,
  receiverPort,
  dataFolder = temporaryFolder(),
  host: givenHost,
  releases = { isInstalled: false },
}: {
  sandbox?: ServiceIntroduction;
  clock?: Clock;
  receiverPort?: number;
  dataFolder?: string;
  host?: MemoryHost;
  releases?: NonNullable<CoreOptions['releases']>;
} = {}): Promise<CoreHarness> {
  // Port 0 is not a setting of the product; tests that run side by side each need their own port.
  const host = givenHost ?? createMemoryHost({ receiverPort: receiverPort ?? (await freePort()) });
  const core = await createCore({
    dataFolder,
    clock,
    log: quietLog,
    host,
    version: '0.0.0',
    workers: threadEntries,
    places,
    releases,
  });
  if (sandbox) core.connectSandbox(sandbox);
  const { client, socket, close: closeScreen } = await connectScreen(core);
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await closeScreen();
    await core.close();
  };
  onTestFinished(close);
  return { core, client, socket, host, dataFolder, close, statusWhere: (fits) => statusWhere(client, fits) };
}

/** One screen's connection. */
export async function connectScreen(
  core: Core,
): Promise<{ client: AppClient; socket: WebSocket; close: () => Promise<void> }> {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => core.serveWebSocket(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  // ws has the same events; only its types differ from the browser's.
  const screen: AppClient = createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
  const client = withDeclaredOutputs(screen);
  const close = () =>
    new Promise<void>((resolve) => {
      socket.terminate();
      sockets.close();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { client, socket, close };
}

/** As a screen gets them when it opens. */
export async function settingsOf(client: AppClient): Promise<Settings> {
  for await (const notice of await client.app.notices()) if (notice.topic === 'settings') return notice.values;
  throw new Error('the notices ended');
}

async function statusWhere(client: AppClient, fits: (status: AppStatus) => boolean): Promise<AppStatus> {
  for await (const notice of await client.app.notices()) {
    if (notice.topic !== 'status') continue;
    const status = await client.app.status();
    if (fits(status)) return status;
  }
  throw new Error('the notices ended');
}

/** Of a request on a connection that was open. */
export const noSteps = { lookedUpMs: null, connectedMs: null, securedMs: null };
