// The connection that a command works with: the service named by flags, or the sandbox on this machine.
import {
  type ActiveConnection,
  AppFailure,
  type Connection,
  createActiveConnection,
  createConnection,
  createJsonReader,
  hostOf,
  sandboxId,
  sandboxProfile,
  type SecretsPort,
} from '@rainbell/core';
import { readDataFolder, type ParsedArguments } from '../terminal/arguments.ts';
import type { CommandContext } from '../terminal/command.ts';
import { readNamedService, type NamedService } from './credentials.ts';
import { connectionId, createUserTokens } from './user-tokens.ts';

export type CommandConnection = {
  readonly connection: Connection;
  /** The app's ID of the connection; undefined for a service that flags name. */
  readonly appConnectionId: string | undefined;
  close: () => Promise<void>;
};

/** Throws UsageError, and the AppFailure of whatever refuses. */
export async function openConnection(given: ParsedArguments, context: CommandContext): Promise<CommandConnection> {
  const { output, clock, workers } = context;
  const dataFolder = readDataFolder(given);
  const userTokens = createUserTokens(dataFolder, clock);
  const named = await readNamedService(given, context, (service) => userTokens.has(connectionId(service)));
  if (named) return connectTo(named, context, userTokens.secrets);
  // The service takes as long to load as all the rest, and most commands do without it.
  const { findRunningSandbox, runOwnSandbox } = await import('./own-sandbox.ts');
  const running = findRunningSandbox(dataFolder, clock);
  const reached = running && (await connectIfReached(running, context));
  if (reached) return reached;
  output.info(`The app is not running with ${dataFolder}, so this command is running the sandbox itself.`);
  const own = await runOwnSandbox(dataFolder, clock, workers);
  const opened = connectTo({ ...own, appConnectionId: sandboxId }, context);
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
  task: (activeConnection: ActiveConnection, appConnectionId: string | undefined) => Promise<Result>,
): Promise<Result> {
  const opened = await openConnection(given, context);
  try {
    const activeConnection = createActiveConnection({ clock: context.clock, onState: () => {} });
    activeConnection.use(opened.connection);
    return await task(activeConnection, opened.appConnectionId);
  } finally {
    await opened.close();
  }
}

type Dependencies = Pick<CommandContext, 'clock' | 'signal' | 'workers'>;

/** An application token lives as long as the command. */
const forgetful: SecretsPort = {
  protection: 'in memory',
  read: async () => null,
  stateOf: () => 'absent',
  write: async () => {},
};

/** For a user's sign-in, if flags name the service; the listener takes any free port (RFC 8252 section 7.3). */
const loginRedirectUri = 'http://127.0.0.1/callback';

/** `secrets`: where the tokens of users are. */
export function connectTo(
  { baseUrl, clientId, clientSecret, transport, appConnectionId, ...more }: NamedService,
  { clock, signal, workers }: Dependencies,
  secrets: SecretsPort = forgetful,
): CommandConnection {
  const { authUrl = baseUrl, redirectUri = loginRedirectUri, scope = '' } = more;
  const introduction = { baseUrl, authUrl, clientId, clientSecret: clientSecret ?? '', redirectUri: '' };
  const connection = createConnection(
    {
      ...sandboxProfile({ ...introduction, username: '', password: '' }),
      id: connectionId({ baseUrl, clientId }),
      name: hostOf(baseUrl),
      isPublic: clientSecret === undefined,
      redirectUri,
      scope,
      ...transport,
    },
    {
      clock,
      secrets,
      json: createJsonReader({ workerUrl: workers.json, clock }),
      onState: () => {},
    },
  );
  // Ctrl+C aborts the current request.
  signal.addEventListener('abort', () => void connection.close(), { once: true });
  return { connection, appConnectionId, close: connection.close };
}

/** Returns undefined if another program uses that address by now, or nothing listens there. */
async function connectIfReached(service: NamedService, needs: Dependencies): Promise<CommandConnection | undefined> {
  const opened = connectTo({ ...service, appConnectionId: sandboxId }, needs);
  try {
    await opened.connection.prepareToken();
    return opened;
  } catch (error) {
    await opened.close();
    if (error instanceof AppFailure) return undefined;
    throw error;
  }
}
