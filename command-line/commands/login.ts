// `rainbell login` and `logout`: a user's token for the commands, by the sign-in page in a browser on this computer.
import type { SignInResult } from '@rainbell/contract/app-rpc';
import {
  AppFailure,
  type Connection,
  createFlowLog,
  findRevocationEndpoint,
  revokeToken,
  signIn,
} from '@rainbell/core';
import { readDataFolder, requireArguments, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { connectTo, type CommandConnection } from '../session/connect.ts';
import { readNamedService, serviceOptions } from '../session/credentials.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../terminal/exit-codes.ts';
import { createUserTokens } from '../session/user-tokens.ts';

const usage = '(--connection NAME | --base-url URL --client-id ID) [--client-secret-stdin] [--json] [--data DIR]';
const options = { json: commonOptions.json, ...serviceOptions };

export const login: Command = {
  name: 'login',
  usage: `${usage} [--scope SCOPES]`,
  summary: 'Sign in a user so that commands work without a client secret',
  details: [
    'Prints the URL of the sign-in page, for a browser on this computer, and waits until the user has decided. The redirect\n' +
      'URL is the connection’s, or http://127.0.0.1/callback; register it with the service.',
    'Without a client secret, the application is a public client. The token is stored encrypted in the data folder, and\n' +
      'forecast uses it with the same --connection, or --base-url and --client-id. Monitors require a client secret.',
    'With --json: {signedIn, expiresAt, scope}.',
  ],
  options: {
    ...options,
    scope: { value: 'SCOPES', words: 'scopes to request, separated by spaces (default: the connection’s)' },
    help: commonOptions.help,
  },
  examples: ['login --connection Production', 'login --base-url https://api.example.com --client-id ID'],
  async run(given, context) {
    requireArguments(given, []);
    const { connection, close } = await openForUser(given, context);
    try {
      const result = await runSignIn(connection, given, context);
      return report(result, given, context);
    } finally {
      await close();
    }
  },
};

export const logout: Command = {
  name: 'logout',
  usage,
  summary: 'Delete the user token that rainbell login stored, and revoke it if the service supports that',
  details: ['Takes the same service options as rainbell login.'],
  options: { ...options, help: commonOptions.help },
  examples: ['logout --connection Production'],
  async run(given, context) {
    requireArguments(given, []);
    const { connection, close } = await openForUser(given, context);
    try {
      const { user } = connection.tokens;
      const held = await user.held();
      if (!held) throw new AppFailure('NOT_FOUND', `No one is signed in to ${connection.name}.`);
      const isRevoked = await revoke(connection, held).catch((error: unknown) => {
        if (error instanceof AppFailure) return false;
        throw error;
      });
      await user.delete();
      if (given.isSet('json')) context.output.printJson({ signedIn: false, revoked: isRevoked });
      else
        context.output.print(
          isRevoked ? 'Token revoked and deleted.' : 'Token deleted. The service did not revoke it.',
        );
      return exitCodes.done;
    } finally {
      await close();
    }
  },
};

async function openForUser(given: ParsedArguments, context: CommandContext): Promise<CommandConnection> {
  const named = await readNamedService(given, context, () => true);
  if (!named) {
    throw new UsageError('missing --connection NAME, or --base-url URL and --client-id ID', {
      isAboutUsage: true,
    });
  }
  return connectTo(named, context, createUserTokens(readDataFolder(given), context.clock).secrets);
}

function runSignIn(
  connection: Connection,
  given: ParsedArguments,
  { clock, signal, output }: CommandContext,
): Promise<SignInResult> {
  const { profile } = connection;
  const scope = given.text('scope') ?? profile.scope;
  const flow = createFlowLog({ clock, onChanged: () => {} }).start(profile, 'authorization_code');
  const onAddress = (address: string) => {
    output.info(`Open this URL in a browser on this computer: ${address}`);
    output.info('Waiting for the sign-in… (Ctrl+C to cancel)');
  };
  return signIn(
    { way: 'authorization_code', scope, window: 'browser' },
    // The user opens the page: this may run on a machine that has no browser.
    {
      connection,
      host: { openExternal: async () => {} },
      clock,
      flow,
      signal,
      onAddress,
      isBrowserSessionSaved: false,
    },
  );
}

function report(result: SignInResult, given: ParsedArguments, { output, signal }: CommandContext): ExitCode {
  if (result.outcome === 'approved') {
    const { expiresAt, scope } = result.token;
    if (given.isSet('json')) output.printJson({ signedIn: true, expiresAt, scope });
    else output.print('Signed in.');
    return exitCodes.done;
  }
  if (signal.aborted) return exitCodes.interrupted;
  output.info(`error: ${result.message}`);
  if ('problem' in result && result.problem) return exitCodeOf(result.problem.code);
  return result.outcome === 'timed_out' ? exitCodes.no : exitCodes.refused;
}

/** False if the service does not announce where. */
async function revoke(
  connection: Connection,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | null },
): Promise<boolean> {
  const endpoint = await findRevocationEndpoint(connection);
  if (endpoint === undefined) return false;
  const token =
    refreshToken === null
      ? ({ value: accessToken, kind: 'access_token' } as const)
      : ({ value: refreshToken, kind: 'refresh_token' } as const);
  await revokeToken({ connection, endpoint, token, watch: () => {} });
  return true;
}
