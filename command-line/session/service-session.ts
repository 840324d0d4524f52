// The core through which a command calls a service: the app's if that service is selected there, otherwise one that this command starts
// for the service that flags name, or for the sandbox.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppClient } from '@rainbell/contract/app-rpc';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import { findRunningApp, type RunningApp, sandboxId } from '@rainbell/core';
import { readDataFolder, readPort, type ParsedArguments } from '../terminal/arguments.ts';
import type { CommandContext } from '../terminal/command.ts';
import { startOwnCore } from './app-session.ts';
import { readSettings } from './command-host.ts';
import { readNamedService } from './credentials.ts';
import { connectionId, createUserTokens } from './user-tokens.ts';

export type ServiceSession = {
  client: AppClient;
  /** Whether names, tags, and notes of monitors are kept. */
  hasNotes: boolean;
};

type Needs = {
  /** Names, tags, and notes of monitors, which are in the data folder. */
  notes?: boolean;
  /** Without a service that flags name, none is needed. */
  isServiceOptional?: boolean;
  /** A public client whose user has not signed in yet. */
  signIn?: (url: string) => void;
};

/** Runs a task with the service that the command line names. Throws UsageError, and the AppFailure of whatever refuses. */
export async function withService<Result>(
  given: ParsedArguments,
  context: CommandContext,
  task: (session: ServiceSession) => Promise<Result>,
  needs: Needs = {},
): Promise<Result> {
  const dataFolder = readDataFolder(given);
  const running = await findRunningApp(dataFolder, 'command');
  try {
    if (running && !needs.signIn && (await isSelected(given, running, needs)))
      return await task({ client: running.client, hasNotes: true });
    return await withOwnCore({ given, context, dataFolder, running, needs }, task);
  } finally {
    running?.close();
  }
}

/** Whether the running app uses the service that the command line names, and receives where it says. */
async function isSelected(given: ParsedArguments, { client }: RunningApp, needs: Needs): Promise<boolean> {
  if (given.text('base-url') !== undefined || given.text('client-id') !== undefined) return false;
  if (given.isSet('client-secret-stdin')) return false;
  const [{ connections, selectedId }, { connection, receiver }] = await Promise.all([
    client.connections.list(),
    client.app.status(),
  ]);
  const port = readPort(given);
  if (port !== undefined && Number(new URL(receiver.baseUrl ?? 'http://x').port) !== port) return false;
  const selected = connections.find(({ id }) => id === selectedId);
  const name = given.text('connection');
  if (name === undefined && needs.isServiceOptional) return true;
  if (name === undefined) return selected?.id === sandboxId && connection.state === 'ready';
  return selected?.id !== sandboxId && selected?.name.toLowerCase() === name.toLowerCase();
}

type Own = {
  given: ParsedArguments;
  context: CommandContext;
  dataFolder: string;
  running: RunningApp | undefined;
  needs: Needs;
};

async function withOwnCore<Result>(
  { given, context, dataFolder, running, needs }: Own,
  task: (session: ServiceSession) => Promise<Result>,
): Promise<Result> {
  const { service, userTokens } = await nameService(given, context, needs.signIn !== undefined);
  const isServiceless = !service && needs.isServiceOptional === true;
  const sandbox = service || isServiceless ? undefined : await findSandbox(dataFolder, running, context);
  const isStored = needs.notes === true && !running && (!service || service.appConnectionId !== undefined);
  const folder = isStored ? dataFolder : mkdtempSync(join(tmpdir(), 'rainbell-'));
  try {
    const core = await startOwnCore(
      {
        dataFolder: folder,
        settingsFolder: dataFolder,
        service,
        userTokens,
        receiver: { address: await receiverAddress(given, dataFolder, running) },
        isShared: isStored,
        ...(needs.signIn && { openExternal: needs.signIn }),
      },
      context,
    );
    let closing: Promise<void> | undefined;
    const close = () => (closing ??= core.close());
    // Ctrl+C ends the requests that run.
    context.signal.addEventListener('abort', () => void close(), { once: true });
    try {
      if (sandbox) core.connectSandbox(sandbox.introduction);
      if (isServiceless) core.sandboxFailed({ code: 'NETWORK', message: 'This command uses no service.', details: {} });
      return await task({ client: core.client, hasNotes: isStored });
    } finally {
      await close();
    }
  } finally {
    await sandbox?.close();
    if (!isStored) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The service that flags name, and the tokens of users. `canSignIn`: a public client needs no user yet. Throws UsageError. */
export async function nameService(given: ParsedArguments, context: CommandContext, canSignIn = false) {
  const userTokens = createUserTokens(readDataFolder(given), context.clock);
  const service = await readNamedService(given, context, (named) => canSignIn || userTokens.has(connectionId(named)));
  return { service, userTokens: userTokens.secrets };
}

/** Where callbacks to this computer arrive: at the running app, otherwise where a command will listen. */
async function receiverAddress(
  given: ParsedArguments,
  dataFolder: string,
  running: RunningApp | undefined,
): Promise<string> {
  const port = readPort(given);
  const found = port === undefined ? (await running?.client.app.status())?.receiver.baseUrl : undefined;
  return found ?? `http://127.0.0.1:${port ?? readSettings(dataFolder).receiverPort}`;
}

type Sandbox = { introduction: ServiceIntroduction; close: () => Promise<void> };

/** That of the running app, or of a service that runs as long as the command. Both have the same monitors. */
export async function findSandbox(
  dataFolder: string,
  running: RunningApp | undefined,
  context: CommandContext,
): Promise<Sandbox> {
  // The service takes as long to load as all the rest, and most commands do without it.
  const { runOwnSandbox, sandboxAt } = await import('./own-sandbox.ts');
  const { connections } = (await running?.client.connections.list()) ?? { connections: [] };
  const baseUrl = connections.find(({ id }) => id === sandboxId)?.baseUrl;
  if (baseUrl) return { introduction: sandboxAt(baseUrl, dataFolder), close: async () => {} };
  context.output.info(`The app is not running with ${dataFolder}, so this command is running the sandbox itself.`);
  return runOwnSandbox(dataFolder, context);
}
