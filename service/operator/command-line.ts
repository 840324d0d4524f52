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

export const helpText = `The operator's tool of the Rainbell weather service. It works alongside a running service.

npm run operator -- [--data DIR | --database URL] [--json] COMMAND

  account create --username U --email E --password-stdin [--operator]
      Creates an account; the password is the first line of standard input. --operator: may use the operator's pages on the website.
  account list [--unconfirmed]
      --unconfirmed: only accounts whose email address is not confirmed.
  account confirm U
      Confirms the email address of the account, or the one that waits for its confirmation.
  account limits U [--applications N] [--monitors N]
      How many applications and monitors the account may have; "default" instead of N for the service's settings.
  account export U
      Prints everything that the service holds about the account as JSON, without passwords, secrets, and tokens.
  account delete U --yes
      Deletes the account with its applications, monitors, tokens, and data, and mails its owner. It cannot be undone.
  account grant U | account withdraw U
      Lets the account use the operator's pages on the website, or no longer.
  account disable U | account enable U
      Ends every session and token of the account, or allows it to sign in again. U: username or email address.
  account rotate U [--password-stdin]
      A new password: from standard input, or a random one, which is printed.

  application create --owner U --name N [--description D] [--redirect URI]... [--public] [--allow-password-grant]
                     [--require-pkce] [--plan P]
      Creates an application and prints its client ID and client secret, once. P: drizzle, shower, storm or in-house (the default).
  application list
  application disable CLIENT_ID | application enable CLIENT_ID
  application rotate CLIENT_ID [--grace HOURS]
      A new client secret; the old one and all tokens end. --grace: how long the old one works (at most 168), with its tokens.
  application end-old-secret CLIENT_ID
      Ends the old secret's grace period; tokens remain valid.
  application authorize CLIENT_ID | application deauthorize CLIENT_ID
      Allows or forbids grant_type=password.

  application edit CLIENT_ID --require-pkce | --no-require-pkce
      Refuses or accepts sign-ins for a code without a code_challenge (PKCE). Recommended for every public application.

  contract list [--pending]
  contract approve ID | contract deny ID
      Decides on a plan that waits for approval (RAINBELL_PLAN_APPROVAL=on), and mails the owner of the account.

  token introspect
      Reads a token from the standard input and says what it is (RFC 7662).
  audit list
      The last 200 actions of operators, on the website and on this command line. RAINBELL_AUDIT_DAYS says how long they are kept.
  outbox list
      The emails of the last 30 days, sent or waiting.

  keys check
      Counts the webhook secrets and callback passwords, and those that the current keys (RAINBELL_SECRET_KEY) cannot open.
  keys rotate
      Encrypts all of them with the first key, so that the others are no longer needed.
  keys replace-unreadable --yes
      Gives new webhook secrets to the applications whose secret no key opens, and removes passwords of callbacks that none opens.
      Then give the secrets to the receivers, and set the passwords at the monitors again.

  damage list
      Shows what the rescue of a damaged database kept and lost; every command prints it until it is acknowledged.
  damage acknowledge
      Hides these reports, also in the app; the kept files stay.

  --json  Prints one line of JSON instead of text.
`;
