// Parses the operator's command line, and what its commands get and return. Errors are one sentence that points to the help.
import { parseArgs } from 'node:util';
import type { Clock } from '@rainbell/shared';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { SecretSeal } from '../secrets/secret-seal.ts';
import type { OAuth } from '../oauth/create-oauth.ts';
import { StartError } from '../errors/start-error.ts';

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
  plan: { type: 'string' },
  place: { type: 'string' },
  callback: { type: 'string' },
  payload: { type: 'string' },
  events: { type: 'string' },
  yes: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  state: { type: 'string' },
} as const;

export type OperatorFlags = ReturnType<typeof parse>['values'];
/** `subject` and `verb` as typed, such as "account" "create"; `target`: the third argument, if any. */
export type OperatorCommand = { subject: string; verb: string; target: string | undefined; flags: OperatorFlags };

export type Tools = {
  config: Config;
  clock: Clock;
  db: Db;
  engine: Database['engine'];
  oauth: OAuth;
  outbox: Outbox;
  seal: SecretSeal;
  /** The first line of the standard input, without its end. */
  readLine(): Promise<string>;
};

/** `data` for `--json`, `text` for users. */
export type CommandResult = { data: unknown; text: string; /** The exit code is 1. */ hasFailed?: boolean };
export type Operation = (command: OperatorCommand, tools: Tools) => Promise<CommandResult>;

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
    const words = error instanceof Error ? (error.message.split('. ')[0] ?? '').replaceAll('\n', ' ') : String(error);
    throw wrongUse(words.replace(/\.$/, ''), error);
  }
}

export function wrongUse(words: string, cause?: unknown): StartError {
  return new StartError('settings', `${words}. Run "npm run operator -- --help" to see every command.`, { cause });
}

export function needed(flags: OperatorFlags, name: 'username' | 'email' | 'owner' | 'name' | 'place' | 'callback') {
  const value = flags[name];
  if (value === undefined || value === '') throw wrongUse(`--${name} is missing`);
  return value;
}

export const helpText = `Usage: npm run operator -- [--data DIR | --database URL] [--json] COMMAND

Manage the accounts, applications, and data of a Rainbell weather service, even while it is running

Commands:
  setup --place P --callback URL [--payload P] [--events LIST] [--username U]
      Creates a monitor, sends it a test event, and prints the secrets, once; creates an account if there is none. The service must be
      running. --place: a town, or coordinates like 59.91,10.75. --payload: event (default), slack, discord, teams, or monitor.
      --events: started, ended, expected (default: started,ended). Exit code 1 if the test event failed; the monitor is kept.

  account create --username U --email E --password-stdin [--operator]
      Creates an account; the password is the first line of standard input. --operator gives it access to the status page on the website.
  account list
      Lists all accounts.
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
  application rotate CLIENT_ID
      Creates a client secret, and revokes the old one and all tokens.
  events list MONITOR_ID [--from TIME] [--to TIME] [--state STATE[,STATE...]]
      Lists the events of any customer's monitor from the last 30 days, with their attempts and how they ended. Each look is logged.
  outbox list
      Lists the emails from the last 30 days: waiting, sent, failed, or kept for the operator to read.

  keys check
      Shows how many webhook secrets and callback passwords there are, and how many of them the current keys (RAINBELL_SECRET_KEY) can't decrypt.
  keys rotate
      Encrypts all webhook secrets and callback passwords with the first key. Afterward, you can remove the other keys.
  keys replace-unreadable --yes
      Creates new webhook secrets for applications whose secret no key can decrypt, and removes callback passwords that no key can decrypt.
      Afterward, give the secrets to the receivers, and set the monitors' callback passwords again.

Options:
  --data DIR      the service's data folder (default: RAINBELL_DATA, or your user data folder)
  --database URL  the service's PostgreSQL database (default: RAINBELL_DATABASE)
  --json          print one line of JSON instead of text
  --help          print this help

Examples:
  npm run operator -- setup --place Oslo --callback http://192.168.1.20:8123/api/webhook/ID
  npm run operator -- account list
  npm run operator -- application rotate CLIENT_ID

Exit codes:
  0  success
  1  the command failed
  2  invalid arguments or settings
`;
