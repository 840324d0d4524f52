// The connection that a command works with: the service named by flags, or the sandbox on this machine.
import type { Clock } from '#contract/clock.ts';
import { AppFailure } from '#core/app-failure.ts';
import { createSandboxConnection, type Connection } from '#core/connection/connection.ts';
import { readDataFolder, type Given } from './arguments.ts';
import type { Surroundings } from './command.ts';
import { readNamedService, type NamedService } from './credentials.ts';
import { findRunningSandbox, runOwnSandbox } from './own-sandbox.ts';

export type CommandConnection = {
  readonly connection: Connection;
  close: () => Promise<void>;
};

/** Throws WrongUse, and the AppFailure of whatever refuses. */
export async function openConnection(given: Given, surroundings: Surroundings): Promise<CommandConnection> {
  const { clock, output } = surroundings;
  const named = await readNamedService(given, surroundings);
  const dataFolder = readDataFolder(given);
  if (named) return connectTo(named, clock);
  const running = await findRunningSandbox(dataFolder, clock);
  const reached = running && (await connectIfReached(running, clock));
  if (reached) return reached;
  output.tell(`No app runs with ${dataFolder}, so its sandbox service runs for the time of this command.`);
  const own = await runOwnSandbox(dataFolder, clock);
  const opened = connectTo(own, clock);
  return {
    ...opened,
    async close() {
      await opened.close();
      await own.close();
    },
  };
}

function connectTo({ baseUrl, clientId, clientSecret }: NamedService, clock: Clock): CommandConnection {
  const connection = createSandboxConnection({
    introduction: { baseUrl, authUrl: baseUrl, clientId, clientSecret, redirectUri: '', username: '', password: '' },
    clock,
    // A token lives as long as the command.
    secrets: { protection: 'in memory', read: async () => null, write: async () => {} },
    onState: () => {},
  });
  return { connection, close: connection.close };
}

/** Undefined where somebody else is at the address by now, or nobody. */
async function connectIfReached(service: NamedService, clock: Clock): Promise<CommandConnection | undefined> {
  const opened = connectTo(service, clock);
  try {
    await opened.connection.prepareToken();
    return opened;
  } catch (error) {
    await opened.close();
    if (error instanceof AppFailure) return undefined;
    throw error;
  }
}
