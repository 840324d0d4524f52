// The connection that a command works with: the service named by flags, or the sandbox on this machine.
import { AppFailure } from '#core/errors/app-failure.ts';
import { createJsonReader } from '#core/connection/json-reader.ts';
import { createConnection, sandboxProfile, type Connection } from '#core/connection/connection.ts';
import { readDataFolder, type Given } from './arguments.ts';
import type { Surroundings } from './command.ts';
import { readNamedService, type NamedService } from './credentials.ts';

export type CommandConnection = {
  readonly connection: Connection;
  close: () => Promise<void>;
};

/** Throws WrongUse, and the AppFailure of whatever refuses. */
export async function openConnection(given: Given, surroundings: Surroundings): Promise<CommandConnection> {
  const { output, clock, workers } = surroundings;
  const named = await readNamedService(given, surroundings);
  if (named) return connectTo(named, surroundings);
  const dataFolder = readDataFolder(given);
  // The service takes as long to load as all the rest, and most commands do without it.
  const { findRunningSandbox, runOwnSandbox } = await import('./own-sandbox.ts');
  const running = findRunningSandbox(dataFolder, clock);
  const reached = running && (await connectIfReached(running, surroundings));
  if (reached) return reached;
  output.tell(`No app runs with ${dataFolder}, so its sandbox service runs for the time of this command.`);
  const own = await runOwnSandbox(dataFolder, clock, workers);
  const opened = connectTo(own, surroundings);
  return {
    ...opened,
    async close() {
      await opened.close();
      await own.close();
    },
  };
}

type Needs = Pick<Surroundings, 'clock' | 'signal' | 'workers'>;

function connectTo(
  { baseUrl, clientId, clientSecret, transport }: NamedService,
  { clock, signal, workers }: Needs,
): CommandConnection {
  const introduction = {
    baseUrl,
    authUrl: baseUrl,
    clientId,
    clientSecret,
    redirectUri: '',
    username: '',
    password: '',
  };
  const connection = createConnection(
    { ...sandboxProfile(introduction), ...transport },
    {
      clock,
      // A token lives as long as the command.
      secrets: { protection: 'in memory', read: async () => null, stateOf: () => 'absent', write: async () => {} },
      json: createJsonReader({ workerUrl: workers.json, clock }),
      onState: () => {},
    },
  );
  // Ctrl-C breaks off what is being asked.
  signal.addEventListener('abort', () => void connection.close(), { once: true });
  return { connection, close: connection.close };
}

/** Undefined where somebody else is at the address by now, or nobody. */
async function connectIfReached(service: NamedService, needs: Needs): Promise<CommandConnection | undefined> {
  const opened = connectTo(service, needs);
  try {
    await opened.connection.prepareToken();
    return opened;
  } catch (error) {
    await opened.close();
    if (error instanceof AppFailure) return undefined;
    throw error;
  }
}
