// Accounts on the operator's command line.
import type { Account } from '../accounts/account-store.ts';
import { exportAccount } from '../accounts/export-account.ts';
import { emailProblem, passwordProblem, usernameProblem } from '../accounts/account-rules.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { accountDeletedMail, passwordSetByOperatorMail } from '../mail/account-mails.ts';
import { setAccountDisabled } from '../oauth/disable-account.ts';
import { newSecret } from '#service/secrets/random-text.ts';
import { StartError } from '#service/errors/start-error.ts';
import { needed, type OperatorCommand, wrongUse } from './command-line.ts';
import type { CommandResult, Operation } from './operation.ts';

export const accountCommands: Readonly<Record<string, Operation>> = {
  async create(command, { oauth, readLine }) {
    const { flags } = command;
    const [username, email] = [needed(flags, 'username'), needed(flags, 'email')];
    if (flags['password-stdin'] !== true)
      throw wrongUse('--password-stdin is missing: the password can only be read from standard input');
    const password = await readLine();
    refuse(usernameProblem(username) ?? emailProblem(email) ?? passwordProblem(password));
    const account = await oauth.accounts.create({ username, email, password, isOperator: flags.operator === true });
    return { data: accountData(account), text: `Account ${username} was created.` };
  },

  async list({ flags }, { oauth }) {
    const all = await oauth.accounts.list();
    const accounts = flags.unconfirmed === true ? all.filter((one) => one.email_confirmed_at === null) : all;
    const lines = accounts.map((account) => {
      const notes = [
        account.is_operator === 1 ? 'operator' : '',
        account.disabled_at === null ? '' : 'disabled',
        account.email_confirmed_at === null ? 'unconfirmed' : '',
        account.pending_email === null ? '' : `pending: ${account.pending_email}`,
      ].filter((note) => note !== '');
      return [account.username, account.email, formatInstant(account.created_at), ...notes].join('  ').trimEnd();
    });
    return { data: accounts.map(accountData), text: lines.join('\n') || 'No accounts.' };
  },

  async confirm(command, { oauth }) {
    const { id } = await named(command, oauth.accounts.findNamed);
    const { account } = await oauth.accounts.confirmEmail(id);
    return {
      data: accountData(account),
      text: `The email address ${account.email} of ${account.username} is confirmed.`,
    };
  },

  async limits(command, { oauth }) {
    const { id, username } = await named(command, oauth.accounts.findNamed);
    const { applications, monitors } = command.flags;
    await oauth.accounts.setLimits(id, {
      ...(applications === undefined ? {} : { application_limit: limitOf('applications', applications) }),
      ...(monitors === undefined ? {} : { monitor_limit: limitOf('monitors', monitors) }),
    });
    const account = await oauth.accounts.find(id);
    const data = {
      username,
      applications: account?.application_limit ?? null,
      monitors: account?.monitor_limit ?? null,
    };
    const words = (limit: number | null) => (limit === null ? 'default' : String(limit));
    return {
      data,
      text: `Limits for ${username}: applications ${words(data.applications)}, monitors ${words(data.monitors)}.`,
    };
  },

  async export(command, { db, oauth }) {
    const account = await named(command, oauth.accounts.findNamed);
    const pieces: string[] = [];
    for await (const piece of exportAccount(db, account)) pieces.push(piece);
    const text = pieces.join('');
    return { data: JSON.parse(text) as unknown, text: text.trimEnd() };
  },

  async delete(command, { oauth, outbox }) {
    const account = await named(command, oauth.accounts.findNamed);
    if (command.flags.yes !== true) throw wrongUse(`--yes is missing: deleting ${account.username} cannot be undone`);
    await oauth.removeAccount(account.id);
    if (account.email_confirmed_at !== null) await outbox.put(accountDeletedMail(account, account.email), true);
    return { data: { username: account.username, deleted: true }, text: `Account ${account.username} was deleted.` };
  },

  grant: (command, tools) => setOperator(command, tools, true),
  withdraw: (command, tools) => setOperator(command, tools, false),

  disable: (command, tools) => setDisabled(command, tools, true),
  enable: (command, tools) => setDisabled(command, tools, false),

  async rotate(command, { oauth, outbox, readLine }) {
    const account = await named(command, oauth.accounts.findNamed);
    if (await isSandboxOwner(account, oauth.applications.listOf)) {
      throw new StartError(
        'start',
        "The sandbox account's password can't be changed, because the service shows it each time it starts.",
      );
    }
    const isGiven = command.flags['password-stdin'] === true;
    const password = isGiven ? await readLine() : newSecret().slice(0, 24);
    refuse(passwordProblem(password));
    await oauth.accounts.setPassword(account.id, password);
    if (account.email_confirmed_at !== null) await outbox.put(passwordSetByOperatorMail(account, account.email), true);
    return isGiven
      ? { data: { username: account.username }, text: `The password of ${account.username} was changed.` }
      : {
          data: { username: account.username, password },
          text: `The new password of ${account.username}: ${password}`,
        };
  },
};

async function setOperator(
  command: OperatorCommand,
  { oauth }: Parameters<Operation>[1],
  isOperator: boolean,
): Promise<CommandResult> {
  const { id, username } = await named(command, oauth.accounts.findNamed);
  await oauth.accounts.setOperator(id, isOperator);
  const words = `Account ${username} ${isOperator ? 'can now' : 'can no longer'} use the operator pages.`;
  return { data: { username, operator: isOperator }, text: words };
}

async function setDisabled(
  command: OperatorCommand,
  { oauth }: Parameters<Operation>[1],
  isDisabled: boolean,
): Promise<CommandResult> {
  const account = await named(command, oauth.accounts.findNamed);
  await setAccountDisabled(oauth, account.id, isDisabled);
  const { username } = account;
  return {
    data: { username, disabled: isDisabled },
    text: `Account ${username} is ${isDisabled ? 'disabled' : 'enabled'}.`,
  };
}

async function named(
  { target, flags }: OperatorCommand,
  find: (name: string) => Promise<Account | undefined>,
): Promise<Account> {
  const name = target ?? flags.username ?? flags.email;
  if (name === undefined) throw wrongUse("The account's username is missing");
  const account = await find(name);
  if (account) return account;
  throw new StartError(
    'start',
    'There is no account with that username or email address; "account list" lists all accounts.',
  );
}

function limitOf(flag: string, text: string): number | null {
  if (text === 'default') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrongUse(`--${flag} must be a whole number or "default"`);
}

async function isSandboxOwner(
  account: Account,
  listOf: (accountId: string) => Promise<readonly { is_sandbox: number }[]>,
): Promise<boolean> {
  return (await listOf(account.id)).some((application) => application.is_sandbox === 1);
}

function accountData({
  username,
  email,
  email_confirmed_at,
  pending_email,
  is_operator,
  created_at,
  disabled_at,
}: Account) {
  return {
    username,
    email,
    emailConfirmed: email_confirmed_at !== null,
    ...(pending_email === null ? {} : { pendingEmail: pending_email }),
    operator: is_operator === 1,
    createdAt: formatInstant(created_at),
    disabled: disabled_at !== null,
  };
}

export function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new StartError('start', problem);
}
