// Which service the user names. The secret comes from the environment or stdin, never from an argument, and is in no message.
import { readDataFolder, UsageError, type ParsedArguments, type Options } from '../terminal/arguments.ts';
import { commonOptions, type CommandContext } from '../terminal/command.ts';
import { readSavedConnection } from './saved-connection.ts';

export type NamedService = {
  baseUrl: string;
  clientId: string;
  /** Undefined for a public client, which has only its user's token (login.ts). */
  clientSecret: string | undefined;
  /** The app's ID of the connection; undefined if a flag names the service. */
  appConnectionId?: string;
};

export const serviceOptions = {
  connection: { value: 'NAME', words: 'a connection saved in the app, with its certificates and proxy' },
  'base-url': { value: 'URL', words: 'the API base URL of the service, such as https://api.example.com' },
  'client-id': { value: 'ID', words: 'the application’s client ID' },
  'client-secret-stdin': { words: 'read the client secret from stdin instead of RAINBELL_CLIENT_SECRET' },
  data: commonOptions.data,
} as const satisfies Options;

/** The end of the usage line of each command that calls a service. */
export const serviceUsage =
  '[--json] [--connection NAME | --base-url URL --client-id ID] [--client-secret-stdin] [--data DIR]';

export const serviceDetails =
  'Without --base-url or --connection, commands use the sandbox of the app that is running with the data folder, or run\n' +
  'the sandbox themselves. With --base-url, add --client-id, and provide the client secret in the environment variable\n' +
  'RAINBELL_CLIENT_SECRET or on stdin with --client-secret-stdin, never as an argument. --connection uses a connection\n' +
  'saved in the app; if its secret is in the desktop’s keyring, provide the secret in the same way.';

type CredentialsContext = Pick<CommandContext, 'environment' | 'readLine' | 'clock'>;

/** Undefined if no service is named. `canBePublic`: a service without a secret may be a public client. Throws UsageError. */
export async function readNamedService(
  given: ParsedArguments,
  context: CredentialsContext,
  canBePublic: (service: Pick<NamedService, 'baseUrl' | 'clientId'>) => boolean,
): Promise<NamedService | undefined> {
  const [baseUrl, clientId] = [given.text('base-url'), given.text('client-id')];
  const fromStdin = given.isSet('client-secret-stdin');
  const name = given.text('connection');
  if (name !== undefined) {
    if (baseUrl !== undefined || clientId !== undefined) {
      throw new UsageError('--connection already names the service; omit --base-url and --client-id.');
    }
    const { isPublic, ...saved } = await readSavedConnection(name, readDataFolder(given), context.clock);
    if (isPublic) {
      if (canBePublic(saved)) return saved;
      throw new UsageError(
        `“${name}” is a public client without a secret. Sign in first: rainbell login --connection "${name}".`,
      );
    }
    const clientSecret = fromStdin ? undefined : saved.clientSecret;
    return { ...saved, clientSecret: clientSecret ?? (await readSecret(fromStdin, context)) };
  }
  if (baseUrl === undefined && clientId === undefined && !fromStdin) return undefined;
  if (baseUrl === undefined || clientId === undefined) {
    throw new UsageError('--base-url and --client-id belong together; omit both to use the sandbox on this computer.');
  }
  if (clientId === '') throw new UsageError('--client-id must be the client ID that the developer website shows.');
  const service = { baseUrl: requireBaseUrl(baseUrl), clientId };
  const hasSecret = fromStdin || (context.environment['RAINBELL_CLIENT_SECRET'] ?? '') !== '';
  if (!hasSecret && canBePublic(service)) return { ...service, clientSecret: undefined };
  return { ...service, clientSecret: await readSecret(fromStdin, context) };
}

async function readSecret(
  fromStdin: boolean,
  { environment, readLine }: Pick<CommandContext, 'environment' | 'readLine'>,
): Promise<string> {
  const secret = (fromStdin ? await readLine() : (environment['RAINBELL_CLIENT_SECRET'] ?? '')).trim();
  if (secret !== '') return secret;
  throw new UsageError(
    'The client secret is missing: set RAINBELL_CLIENT_SECRET, or pipe it in with --client-secret-stdin. For a public client, sign in with rainbell login.',
  );
}

/** The message does not repeat the value: it may contain a password. */
function requireBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isAddress = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (isAddress && !url.username && !url.password && !url.search && !url.hash) return text.replace(/\/+$/, '');
  throw new UsageError(
    '--base-url must be a full https:// URL (or http:// on this computer) without a username, password, query, or fragment.',
  );
}
