// The outbox: every email is written here first and deleted after 30 days. Without a mail server it stays, for the operator to
// read. Also limits emails per mailbox, across all forms and processes.
import { type Selectable, sql } from 'kysely';
import { type Clock, hourMs, jumpMs } from '@rainbell/shared';
import { retryOnDeadlock } from '../database/retry-on-deadlock.ts';
import type { Db, Tables } from '../database/tables.ts';
import { newId } from '../secrets/random-text.ts';
import { type LinkRequest, linkText } from './links.ts';

const retentionMs = 30 * 86_400_000;
const shownLimit = 200;
/** Longer than any attempt: after that, the process that took an email has died, and another may retry. */
const takenMs = 5 * 60_000;

export const hourlyLimit = 3;
/** Emails that wait for one mailbox's next hours. */
const backlogLimit = 20;

export type Mail = Selectable<Tables['mails']>;

export type NewMail = {
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  link?: LinkRequest;
  /**
   * If the mailbox reached its hourly limit: `drop` for emails that can be requested again, `delay` for those the owner needs,
   * `keep` for the operator, who reads it in the outbox.
   */
  whenLimited: 'drop' | 'delay' | 'keep';
};

export function mailText(paragraphs: readonly string[]): string {
  return `${[...paragraphs, 'Rainbell'].join('\n\n')}\n`;
}

/** Creates an email that is never dropped, only delayed, because the owner needs it. */
export function noticeMail(to: string, subject: string, paragraphs: readonly string[]): NewMail {
  return { to, subject, text: mailText(paragraphs), whenLimited: 'delay' };
}

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox({ db, clock }: { db: Db; clock: Clock }) {
  const inTransaction = <Result>(work: (trx: Db) => Promise<Result>) =>
    retryOnDeadlock(() => db.transaction().execute(work));
  return {
    /** `isSent`: a mail server will send it; otherwise it stays in the outbox. `limited`: it was dropped. */
    put: (mail: NewMail, isSent: boolean) =>
      inTransaction(async (trx) => {
        const now = clock.now();
        const recipientKey = mailboxOf(mail.to);
        await lockRecipient(trx, recipientKey, now);
        const planned = await planSending(trx, recipientKey, now, mail.whenLimited);
        if (planned === undefined) return 'limited';
        const isWaiting = isSent && planned > 0;
        const row: Mail = {
          id: newId(),
          recipient: mail.to,
          reply_to: mail.replyTo ?? null,
          subject: mail.subject,
          body: mail.text,
          created_at: now,
          state: isWaiting ? 'waiting' : 'kept',
          attempts: 0,
          next_attempt_at: isWaiting ? planned : null,
          recipient_key: recipientKey,
          counted_at: planned,
          link: mail.link === undefined ? null : linkText(mail.link),
        };
        await trx.insertInto('mails').values(row).execute();
        return 'stored';
      }),
    /** Corrects plans made before the clock was set back: a creation time in the future becomes now. */
    async replan() {
      const now = clock.now();
      await db
        .updateTable('mails')
        .set({
          next_attempt_at: movedTo(now, 'next_attempt_at'),
          counted_at: movedTo(now, 'counted_at'),
          created_at: now,
        })
        .where('created_at', '>', now + jumpMs)
        .execute();
    },
    async forgetOld() {
      await db
        .deleteFrom('mails')
        .where('created_at', '<', clock.now() - retentionMs)
        .execute();
    },
    /** Leases a due email to the caller; no other process takes it meanwhile. */
    async takeDue(): Promise<Mail | undefined> {
      const now = clock.now();
      const waiting = db.selectFrom('mails').selectAll().where('state', '=', 'waiting');
      const isDue = waiting.where('next_attempt_at', '<=', now).orderBy('created_at').limit(1);
      for (let mail = await isDue.executeTakeFirst(); mail; mail = await isDue.executeTakeFirst()) {
        const { numUpdatedRows } = await db
          .updateTable('mails')
          .set({ next_attempt_at: now + takenMs })
          .where('id', '=', mail.id)
          .where('next_attempt_at', '=', mail.next_attempt_at)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 1n) return mail;
      }
      return undefined;
    },
    async nextDueAt(): Promise<number | undefined> {
      const first = db.selectFrom('mails').select('next_attempt_at').where('state', '=', 'waiting');
      return (await first.orderBy('next_attempt_at').limit(1).executeTakeFirst())?.next_attempt_at ?? undefined;
    },
    async settle(id: string, change: Partial<Pick<Mail, 'state' | 'attempts' | 'next_attempt_at'>>) {
      await db.updateTable('mails').set(change).where('id', '=', id).execute();
    },
    /** Newest first. */
    list: () =>
      db.selectFrom('mails').selectAll().orderBy('created_at', 'desc').orderBy('id').limit(shownLimit).execute(),
  };
}

/** The mailbox that an address most likely belongs to: without case, "+tag", and Gmail's dots. Only for limits. */
export function mailboxOf(email: string): string {
  const address = email.normalize('NFKC').trim().toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 0) return address;
  const domain = address.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com');
  const [name = ''] = address.slice(0, at).split('+');
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`;
}

export function shownBody({ body, link }: Mail): string {
  return link === null ? body : body.replace('{link}', '(a link that is created when the email is sent)');
}

/** Moves a time with the creation of its email, unless it was planned after the clock was set back. */
function movedTo(now: number, name: 'next_attempt_at' | 'counted_at') {
  const column = sql.ref(name);
  return sql<number>`case when ${column} >= created_at then ${column} - created_at + ${now} else ${column} end`;
}

/** Blocks others that count for the same mailbox, until the transaction ends (in PostgreSQL; SQLite has one writer). */
async function lockRecipient(trx: Db, recipient_key: string, now: number): Promise<void> {
  await trx
    .insertInto('mail_recipients')
    .values({ recipient_key, last_at: now })
    .onConflict((conflict) => conflict.column('recipient_key').doUpdateSet({ last_at: now }))
    .execute();
}

/** Returns when an email may be sent; 0: never, it is only stored; undefined: it is dropped. */
async function planSending(
  trx: Db,
  recipientKey: string,
  now: number,
  whenLimited: NewMail['whenLimited'],
): Promise<number | undefined> {
  const counted = await trx
    .selectFrom('mails')
    .select('counted_at')
    .where('recipient_key', '=', recipientKey)
    .where('counted_at', '>', now - hourMs)
    .orderBy('counted_at', 'desc')
    .limit(hourlyLimit + backlogLimit)
    .execute();
  const before = counted[hourlyLimit - 1]?.counted_at;
  if (before === undefined) return now;
  if (whenLimited === 'keep') return 0;
  if (whenLimited === 'drop' || counted.length === hourlyLimit + backlogLimit) return undefined;
  return before + hourMs;
}
