// The connection that a command works with: the service named by flags, or the sandbox on this machine.
import { AppFailure } from '#core/errors/app-failure.ts';
import { createJsonReader } from '#core/http/json-reader.ts';
import { createActiveConnection, type ActiveConnection } from '#core/connection/active-connection.ts';
import { createConnection, sandboxProfile, type Connection } from '#core/connection/connection.ts';
import { readDataFolder, type ParsedArguments } from './arguments.ts';
import type { CommandContext } from './command.ts';
import { readNamedService, type NamedService } from './credentials.ts';

export type CommandConnection = {
  readonly connection: Connection;
  close: () => Promise<void>;
};

/** Throws UsageError, and the AppFailure of whatever refuses. */
export async function openConnection(given: ParsedArguments, context: CommandContext): Promise<CommandConnection> {
  const { output, clock, workers } = context;
  const named = await readNamedService(given, context);
  if (named) return connectTo(named, context);
  const dataFolder = readDataFolder(given);
  // The service takes as long to load as all the rest, and most commands do without it.
  const { findRunningSandbox, runOwnSandbox } = await import('./own-sandbox.ts');
  const running = findRunningSandbox(dataFolder, clock);
  const reached = running && (await connectIfReached(running, context));
  if (reached) return reached;
  output.info(`No app runs with ${dataFolder}, so its sandbox service runs for the time of this command.`);
  const own = await runOwnSandbox(dataFolder, clock, workers);
  const opened = connectTo(own, context);
  return {
    ...opened,
    async close() {
      await opened.close();
      await own.close();
    },
  };
}

/** Runs `ask` with the connection that the command line names, and closes it. Throws what `openConnection` and `ask` throw. */
export async function withActiveConnection<Result>(
  given: ParsedArguments,
  context: CommandContext,
  ask: (activeConnection: ActiveConnection) => Promise<Result>,
): Promise<Result> {
  const opened = await openConnection(given, context);
  try {
    const activeConnection = createActiveConnection({ clock: context.clock, onState: () => {} });
    activeConnection.use(opened.connection);
    return await ask(activeConnection);
  } finally {
    await opened.close();
  }
}

type Dependencies = Pick<CommandContext, 'clock' | 'signal' | 'workers'>;

function connectTo(
  { baseUrl, clientId, clientSecret, transport }: NamedService,
  { clock, signal, workers }: Dependencies,
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
async function connectIfReached(service: NamedService, needs: Dependencies): Promise<CommandConnection | undefined> {
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
