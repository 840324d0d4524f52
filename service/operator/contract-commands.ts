// Contracts on the operator's command line: plans that wait for approval.
import { formatInstant } from '#contract/service-api/timestamp.ts';
import type { ContractRequest } from '../accounts/contract-store.ts';
import { planOf } from '../accounts/plans.ts';
import { contractDecidedMail } from '../mail/account-mails.ts';
import { type OperatorCommand, wrongUse } from './command-line.ts';
import type { CommandResult, Operation, Tools } from './operation.ts';

export const contractCommands: Readonly<Record<string, Operation>> = {
  async list({ flags }, { contracts }) {
    const all = await contracts.list();
    const shown = flags.pending === true ? all.filter((contract) => contract.state === 'pending') : all;
    const lines = shown.map(({ id, plan, state, username, email, created_at }) =>
      [id, plan, state, username, email, formatInstant(created_at)].join('  '),
    );
    return { data: shown.map(contractData), text: lines.join('\n') || 'No contracts.' };
  },
  approve: (command, tools) => decide(command, tools, 'active'),
  deny: (command, tools) => decide(command, tools, 'denied'),
};

async function decide(
  { target }: OperatorCommand,
  { oauth, contracts, outbox }: Tools,
  state: 'active' | 'denied',
): Promise<CommandResult> {
  if (target === undefined) throw wrongUse('The contract ID is missing');
  const contract = await contracts.decide(target, state);
  const { name } = planOf(oauth.plans, contract.plan);
  // A running service with a mail server finds it in the outbox and sends it.
  if (contract.email_confirmed_at !== null || contract.pending_email === null) {
    await outbox.put(contractDecidedMail(contract, contract.email, name, state === 'active'), true);
  }
  const words = `The ${name} plan for ${contract.username} was ${state === 'active' ? 'approved' : 'denied'}.`;
  return { data: contractData(contract), text: words };
}

function contractData({ id, plan, state, username, email, created_at }: ContractRequest) {
  return { id, plan, state, username, email, createdAt: formatInstant(created_at) };
}
