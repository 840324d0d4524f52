// Accounts on the operator's command line.
import type { Account } from '../accounts/account-store.ts';
import { emailProblem, passwordProblem, usernameProblem } from '../accounts/account-rules.ts';
import { formatInstant } from '@rainbell/shared';
import { passwordSetByOperatorMail } from '../mail/account-mails.ts';
import { newSecret } from '../secrets/random-text.ts';
import { StartError } from '../errors/start-error.ts';
import { type CommandResult, needed, type Operation, type OperatorCommand, wrongUse } from './command-line.ts';

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

  async list(_command, { oauth }) {
    const accounts = await oauth.accounts.list();
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

  disable: (command, tools) => setDisabled(command, tools, true),
  enable: (command, tools) => setDisabled(command, tools, false),

  async rotate(command, { oauth, outbox, readLine }) {
    const account = await named(command, oauth.accounts.findNamed);
    const own = await oauth.applications.listOf(account.id);
    if (own.some(({ is_sandbox }) => is_sandbox === 1)) {
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

async function setDisabled(
  command: OperatorCommand,
  { oauth }: Parameters<Operation>[1],
  isDisabled: boolean,
): Promise<CommandResult> {
  const account = await named(command, oauth.accounts.findNamed);
  await oauth.accounts.setDisabled(account.id, isDisabled);
  const { username } = account;
  return {
    data: { username, disabled: isDisabled },
    text: `Account ${username} is ${isDisabled ? 'disabled' : 'enabled'}.`,
  };
}

async function named(
  { target }: OperatorCommand,
  find: (name: string) => Promise<Account | undefined>,
): Promise<Account> {
  if (target === undefined) throw wrongUse("The account's username is missing");
  const account = await find(target);
  if (account) return account;
  throw new StartError(
    'start',
    'There is no account with that username or email address; "account list" lists all accounts.',
  );
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
