// `rainbell login` and `logout`: a user's token for the commands, by the sign-in page in a browser on this computer.
import type { AppClient, SignInResult } from '@rainbell/contract/app-rpc';
import { AppFailure } from '@rainbell/core';
import { UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { serviceOptions } from '../session/credentials.ts';
import { withService } from '../session/service-session.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../terminal/exit-codes.ts';

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
    scope: {
      value: 'SCOPES',
      words: 'scopes to request, separated by spaces (default: the connection’s, otherwise post_metag)',
    },
  },
  examples: ['login --connection Production', 'login --base-url https://api.example.com --client-id ID'],
  async run(given, context) {
    return withUserService(given, context, async (client) =>
      report(await signIn(client, given, context), given, context),
    );
  },
};

export const logout: Command = {
  name: 'logout',
  usage,
  summary: 'Delete the user token that rainbell login stored, and revoke it if the service supports that',
  details: ['Takes the same service options as rainbell login.'],
  options,
  examples: ['logout --connection Production'],
  async run(given, context) {
    return withUserService(given, context, async ({ session }) => {
      const { connectionName } = await session.state();
      const isRevoked = await session.revoke({ owner: 'user' }).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof AppFailure)) throw error;
          // Without a status, this app has no token; the service was not called.
          if (error.code === 'NOT_FOUND' && error.details.httpStatus === undefined)
            throw new AppFailure('NOT_FOUND', `No one is signed in to ${connectionName}.`);
          return false;
        },
      );
      if (!isRevoked) await session.deleteToken({ owner: 'user' });
      if (given.isSet('json')) context.output.printJson({ signedIn: false, revoked: isRevoked });
      else
        context.output.print(
          isRevoked ? 'Token revoked and deleted.' : 'Token deleted. The service did not revoke it.',
        );
      return exitCodes.done;
    });
  },
};

function withUserService(
  given: ParsedArguments,
  context: CommandContext,
  task: (client: AppClient) => Promise<ExitCode>,
): Promise<ExitCode> {
  const isNamed = ['connection', 'base-url', 'client-id'].some((flag) => given.text(flag) !== undefined);
  if (!isNamed && !given.isSet('client-secret-stdin')) {
    throw new UsageError('missing --connection NAME, or --base-url URL and --client-id ID', { isAboutUsage: true });
  }
  // The user opens the page: this may run on a machine that has no browser.
  const signIn = (address: string) => {
    context.output.info(`Open this URL in a browser on this computer: ${address}`);
    context.output.info('Waiting for the sign-in… (Ctrl+C to cancel)');
  };
  return withService(given, context, ({ client }) => task(client), { signIn });
}

function signIn(client: AppClient, given: ParsedArguments, { signal }: CommandContext): Promise<SignInResult> {
  signal.addEventListener('abort', () => void client.session.cancelSignIn().catch(() => {}), { once: true });
  const scope = given.text('scope');
  return client.session.signIn({
    way: 'authorization_code',
    window: 'browser',
    ...(scope === undefined ? {} : { scope }),
  });
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
