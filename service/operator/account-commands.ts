// Accounts on the operator's command line.
import type { Account } from '../accounts/account-store.ts';
import { emailProblem, passwordProblem, usernameProblem } from '../accounts/account-rules.ts';
import { formatInstant } from '#contract/timestamp.ts';
import { newSecret } from '../oauth/random-text.ts';
import { StartError } from '../start-error.ts';
import { needed, type OperatorCommand, wrongUse } from './command-line.ts';
import type { Answer, Operation } from './operation.ts';

export const accountCommands: Readonly<Record<string, Operation>> = {
  async create(command, { oauth, readLine }) {
    const { flags } = command;
    const [username, email] = [needed(flags, 'username'), needed(flags, 'email')];
    if (flags['password-stdin'] !== true)
      throw wrongUse('--password-stdin is missing: the password comes from there only');
    const password = await readLine();
    refuse(usernameProblem(username) ?? emailProblem(email) ?? passwordProblem(password));
    const account = await oauth.accounts.create({ username, email, password, isOperator: flags.operator === true });
    return { data: accountData(account), words: `Account ${username} was made.` };
  },

  async list(_command, { oauth }) {
    const accounts = await oauth.accounts.list();
    const lines = accounts.map((account) => {
      const notes = [account.is_operator === 1 ? 'operator' : '', account.disabled_at === null ? '' : 'disabled'];
      return [account.username, account.email, formatInstant(account.created_at), ...notes].join('  ').trimEnd();
    });
    return { data: accounts.map(accountData), words: lines.join('\n') || 'There is no account.' };
  },

  disable: (command, tools) => setDisabled(command, tools, true),
  enable: (command, tools) => setDisabled(command, tools, false),

  async rotate(command, { oauth, readLine }) {
    const account = await named(command, oauth.accounts.findNamed);
    if (await isSandboxOwner(account, oauth.applications.listOf)) {
      throw new StartError('start', 'The sandbox account keeps its password, so that it can be shown at every start.');
    }
    const isGiven = command.flags['password-stdin'] === true;
    const password = isGiven ? await readLine() : newSecret().slice(0, 24);
    refuse(passwordProblem(password));
    await oauth.accounts.setPassword(account.id, password);
    await oauth.tokens.revoke({ accountId: account.id });
    await oauth.sessions.endAll(account.id);
    return isGiven
      ? { data: { username: account.username }, words: `Account ${account.username} has the new password.` }
      : {
          data: { username: account.username, password },
          words: `The new password of ${account.username}: ${password}`,
        };
  },
};

async function setDisabled(
  command: OperatorCommand,
  { oauth }: Parameters<Operation>[1],
  isDisabled: boolean,
): Promise<Answer> {
  const account = await named(command, oauth.accounts.findNamed);
  await oauth.accounts.setDisabled(account.id, isDisabled);
  // Also makes running services notice.
  await oauth.tokens.revoke({ accountId: account.id });
  if (isDisabled) await oauth.sessions.endAll(account.id);
  const { username } = account;
  return {
    data: { username, disabled: isDisabled },
    words: `Account ${username} is ${isDisabled ? 'disabled' : 'enabled'}.`,
  };
}

async function named(
  { target, flags }: OperatorCommand,
  find: (name: string) => Promise<Account | undefined>,
): Promise<Account> {
  const name = target ?? flags.username ?? flags.email;
  if (name === undefined) throw wrongUse('The username of the account is missing');
  const account = await find(name);
  if (account) return account;
  throw new StartError(
    'start',
    'There is no account with that username or email address; "account list" shows them all.',
  );
}

async function isSandboxOwner(
  account: Account,
  listOf: (accountId: string) => Promise<readonly { is_sandbox: number }[]>,
): Promise<boolean> {
  return (await listOf(account.id)).some((application) => application.is_sandbox === 1);
}

function accountData({ username, email, is_operator, created_at, disabled_at }: Account) {
  return {
    username,
    email,
    operator: is_operator === 1,
    createdAt: formatInstant(created_at),
    disabled: disabled_at !== null,
  };
}

export function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new StartError('start', problem);
}
