// Emails and keys on the operator's command line.
import { formatInstant } from '@rainbell/shared';
import { shownBody } from '../mail/outbox.ts';
import { countSecrets, reencryptSecrets, replaceUnreadableSecrets, type SecretsCount } from '../secrets/secret-keys.ts';
import { wrongUse } from './command-line.ts';
import type { CommandResult, Operation } from './operation.ts';

export const outboxCommands: Readonly<Record<string, Operation>> = {
  async list(_command, { outbox }) {
    const mails = await outbox.list();
    const data = mails.map((mail) => ({
      to: mail.recipient,
      subject: mail.subject,
      createdAt: formatInstant(mail.created_at),
      state: mail.state,
      text: shownBody(mail),
    }));
    const lines = data.map((mail) => `${mail.createdAt}  ${mail.state}  ${mail.to}  ${mail.subject}\n\n${mail.text}\n`);
    return { data, text: lines.join('\n') || 'The outbox is empty.' };
  },
};

export const keyCommands: Readonly<Record<string, Operation>> = {
  async check(_command, { db, seal }) {
    return describeSecrets(await countSecrets(db, seal), '');
  },
  async rotate(_command, { db, seal }) {
    if (seal.source === 'none') throw wrongUse("Set RAINBELL_SECRET_KEY to the service's value");
    const count = await reencryptSecrets(db, seal);
    return describeSecrets(count, `Encrypted with the first key: ${count.changed}. `);
  },
  async 'replace-unreadable'({ flags }, { db, seal }) {
    if (flags.yes !== true)
      throw wrongUse(
        "--yes is missing. After this command, give the receivers their new webhook secrets, and set the monitors' callback passwords again",
      );
    const count = await replaceUnreadableSecrets(db, seal);
    return describeSecrets({ ...count, unreadable: 0 }, `Replaced: ${count.changed}. Restart the service. `);
  },
};

function describeSecrets(count: SecretsCount, done: string): CommandResult {
  const state =
    count.unreadable === 0
      ? 'The current keys can decrypt all of them.'
      : `The current keys cannot decrypt ${count.unreadable} of them.`;
  return { data: count, text: `Webhook secrets and callback passwords: ${count.stored}. ${done}${state}` };
}
