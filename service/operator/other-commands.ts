// Emails and keys on the operator's command line.
import { formatInstant } from '@rainbell/shared';
import { formatEventEnd, summarizeEvent } from '@rainbell/contract/service-api';
import { createEventRecords } from '../monitors/events/event-record.ts';
import { readEventQuery } from '../monitors/events/event-routes.ts';
import { createOutcomeLog } from '../verification/outcome-log.ts';
import { shownBody } from '../mail/outbox.ts';
import { countSecrets, reencryptSecrets, replaceUnreadableSecrets, type SecretsCount } from '../secrets/secret-keys.ts';
import { type CommandResult, type Operation, wrongUse } from './command-line.ts';

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

export const eventCommands: Readonly<Record<string, Operation>> = {
  /** Without URLs, bodies, and responses, which may contain a customer's secrets. */
  async list({ target, flags }, { db, engine }) {
    if (target === undefined) throw wrongUse('The monitor’s ID is missing');
    const { from, to, state } = flags;
    const filter = readEventQuery({
      ...(from && { from }),
      ...(to && { to }),
      ...(state && { state }),
      monitor: target,
    });
    const records = createEventRecords({ db, engine }, createOutcomeLog({ db, engine }).outcomesOf);
    const { objects, meta } = await records.page(filter);
    const data = objects.map(({ callback_uri: _uri, attempts, ...event }) => ({
      ...event,
      attempts: attempts.map(({ request: _request, answer: _answer, ...attempt }) => attempt),
    }));
    const lines = objects.map((event) =>
      `${event.id}  ${formatEventEnd(summarizeEvent(event), formatInstant)}  ${event.trigger?.source ?? ''}`.trimEnd(),
    );
    const more = meta.next === null ? [] : ['Older events follow: use --to with the time of the last line.'];
    return { data, text: [...lines, ...more].join('\n') || 'No events.' };
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
  return {
    data: count,
    hasFailed: count.unreadable > 0,
    text: `Webhook secrets and callback passwords: ${count.stored}. ${done}${state}`,
  };
}
