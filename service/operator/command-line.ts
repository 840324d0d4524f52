// Parses the operator's command line. Errors are one sentence that points to the help.
import { parseArgs } from 'node:util';
import { StartError } from '#service/errors/start-error.ts';

const options = {
  data: { type: 'string' },
  database: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  username: { type: 'string' },
  email: { type: 'string' },
  'password-stdin': { type: 'boolean' },
  operator: { type: 'boolean' },
  owner: { type: 'string' },
  name: { type: 'string' },
  description: { type: 'string' },
  redirect: { type: 'string', multiple: true },
  public: { type: 'boolean' },
  'allow-password-grant': { type: 'boolean' },
  'require-pkce': { type: 'boolean' },
  'no-require-pkce': { type: 'boolean' },
  plan: { type: 'string' },
  'client-id': { type: 'string' },
  unconfirmed: { type: 'boolean' },
  pending: { type: 'boolean' },
  yes: { type: 'boolean' },
  applications: { type: 'string' },
  monitors: { type: 'string' },
  grace: { type: 'string' },
} as const;

export type OperatorFlags = ReturnType<typeof parse>['values'];
/** `subject` and `verb` as typed, such as "account" "create"; `target`: the third argument, if any. */
export type OperatorCommand = { subject: string; verb: string; target: string | undefined; flags: OperatorFlags };

export function readCommand(args: readonly string[]): OperatorCommand {
  const { values, positionals } = parseOrRefuse(args);
  const [subject = '', verb = '', target, ...more] = positionals;
  if (more.length > 0) throw wrongUse(`Unexpected argument "${more[0] ?? ''}"`);
  return { subject, verb, target, flags: values };
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
}

function parseOrRefuse(args: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(args);
  } catch (error) {
    const words = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error);
    throw wrongUse(words.replace(/\.$/, ''), error);
  }
}

export function wrongUse(words: string, cause?: unknown): StartError {
  return new StartError('settings', `${words}. Run "npm run operator -- --help" to see every command.`, { cause });
}

/** Returns the value of --require-pkce or --no-require-pkce; undefined if neither is given. */
export function pkceChoice(flags: OperatorFlags): boolean | undefined {
  const [on, off] = [flags['require-pkce'] === true, flags['no-require-pkce'] === true];
  if (on && off) throw wrongUse('Use --require-pkce or --no-require-pkce, not both');
  return on ? true : off ? false : undefined;
}

/** Returns the value of a required flag. */
export function needed(flags: OperatorFlags, name: 'username' | 'email' | 'owner' | 'name'): string {
  const value = flags[name];
  if (value === undefined || value === '') throw wrongUse(`--${name} is missing`);
  return value;
}

export const helpText = `Usage: npm run operator -- [--data DIR | --database URL] [--json] COMMAND

Manage the accounts, applications, and data of a Rainbell weather service, even while it is running

Commands:
  account create --username U --email E --password-stdin [--operator]
      Creates an account; the password is the first line of standard input. --operator gives it access to the operator pages on the website.
  account list [--unconfirmed]
      Lists all accounts, or only those whose email address is not confirmed.
  account confirm U
      Confirms the account's email address, or its pending new one.
  account limits U [--applications N] [--monitors N]
      Sets how many applications and monitors the account can have. N: a number, or "default" for the service's settings.
  account export U
      Prints, as JSON, all data that the service stores about the account, except passwords, secrets, and tokens.
  account delete U --yes
      Deletes the account with its applications, monitors, tokens, and data, and emails its owner. You can't undo this.
  account grant U | account withdraw U
      Grants or removes the account's access to the operator pages on the website.
  account disable U | account enable U
      Ends all of the account's sessions and revokes all its tokens, or allows it to sign in again. U: username or email address.
  account rotate U [--password-stdin]
      Sets a new password: the first line of standard input, or a random one, which it prints.

  application create --owner U --name N [--description D] [--redirect URI]... [--public] [--allow-password-grant]
                     [--require-pkce] [--plan P]
      Creates an application and prints its client ID and client secret, once. P: drizzle, shower, storm, or in-house (default).
  application list
      Lists all applications.
  application disable CLIENT_ID | application enable CLIENT_ID
      Revokes all of the application's tokens and stops its callbacks, or enables it again.
  application rotate CLIENT_ID [--grace HOURS]
      Creates a client secret, and revokes the old one and all tokens. With --grace, the old secret stays valid for HOURS (at most 168),
      and the tokens are not revoked.
  application end-old-secret CLIENT_ID
      Revokes the old secret before its grace period ends; tokens stay valid.
  application authorize CLIENT_ID | application deauthorize CLIENT_ID
      Allows or forbids grant_type=password.
  application edit CLIENT_ID --require-pkce | --no-require-pkce
      Refuses or accepts authorization requests without a code_challenge (PKCE). --require-pkce is recommended for every public client.

  contract list [--pending]
      Lists all contracts, or only those waiting for approval.
  contract approve ID | contract deny ID
      Approves or denies a pending contract (RAINBELL_PLAN_APPROVAL=on), and emails the account's owner.

  token introspect
      Reads a token from standard input and prints its state (RFC 7662).
  audit list
      Lists the last 200 operator actions, on the website and on this command line. RAINBELL_AUDIT_DAYS sets how long they are kept.
  outbox list
      Lists the emails from the last 30 days: waiting, sent, failed, or kept for the operator to read.

  keys check
      Shows how many webhook secrets and callback passwords there are, and how many of them the current keys (RAINBELL_SECRET_KEY) can't decrypt.
  keys rotate
      Encrypts all webhook secrets and callback passwords with the first key. Afterward, you can remove the other keys.
  keys replace-unreadable --yes
      Creates new webhook secrets for applications whose secret no key can decrypt, and removes callback passwords that no key can decrypt.
      Afterward, give the secrets to the receivers, and set the monitors' callback passwords again.

  damage list
      Shows what the rescue of a damaged database recovered and lost. Every command prints this until it is acknowledged.
  damage acknowledge
      Hides the damage reports, here and in the app. The backed-up files remain.

Options:
  --data DIR      the service's data folder (default: RAINBELL_DATA, or your user data folder)
  --database URL  the service's PostgreSQL database (default: RAINBELL_DATABASE)
  --json          print one line of JSON instead of text
  --help          print this help

Examples:
  npm run operator -- account list --unconfirmed
  npm run operator -- application rotate CLIENT_ID --grace 24

Exit codes:
  0  success
  1  the command failed
  2  invalid arguments or settings
`;
