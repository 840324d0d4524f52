// The outbox: every email is written here first and deleted after 30 days. Without a mail server it stays, for the operator to
// read. Also limits emails per mailbox, across all forms and processes.
import type { Selectable } from 'kysely';
import type { Clock } from '@rainbell/shared';
import type { Db, Tables } from '../database/tables.ts';
import { createLimiter, type Fleet } from '../limits/limiter.ts';
import { newId } from '../secrets/random-text.ts';
import type { LinkRequest } from './links.ts';

const retentionMs = 30 * 86_400_000;
const shownLimit = 200;
/** Longer than any attempt: after that, the process that took an email has died, and another may retry. */
const takenMs = 5 * 60_000;

const mailboxLimit = { name: 'mailbox', max: 3, windowSeconds: 3_600 };
/** Emails that wait for a mailbox's next hours; seven of them send all. */
const backlogLimit = { name: 'mailbox backlog', max: 20, windowSeconds: 7 * 3_600 };

export type Mail = Selectable<Tables['mails']>;

export type NewMail = {
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  link?: LinkRequest;
  /** At the mailbox's limit: `drop` what can be requested again, `delay` what the owner needs, `keep` for the operator, in the outbox. */
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

export function createOutbox({ db, clock, fleet }: { db: Db; clock: Clock; fleet?: Fleet }) {
  const mailbox = createLimiter(mailboxLimit, fleet);
  const backlog = createLimiter(backlogLimit, fleet);
  return {
    /** `isSent`: a mail server will send it; otherwise it stays in the outbox. `limited`: it was dropped. */
    async put(mail: NewMail, isSent: boolean): Promise<'stored' | 'limited'> {
      const { whenLimited } = mail;
      // Many requests for the launch notice must not hide a message to the operator.
      const key = whenLimited === 'keep' ? `${mailboxOf(mail.to)} ${mail.subject}` : mailboxOf(mail.to);
      const waitSeconds = await mailbox.take(key);
      if (waitSeconds > 0 && whenLimited === 'drop') return 'limited';
      if (waitSeconds > 0 && whenLimited === 'delay' && (await backlog.take(key)) > 0) return 'limited';
      const now = clock.now();
      const isWaiting = isSent && (waitSeconds === 0 || whenLimited !== 'keep');
      const row: Mail = {
        id: newId(),
        recipient: mail.to,
        reply_to: mail.replyTo ?? null,
        subject: mail.subject,
        body: mail.text,
        created_at: now,
        state: isWaiting ? 'waiting' : 'kept',
        attempts: 0,
        next_attempt_at: isWaiting ? now + waitSeconds * 1000 : null,
        link: mail.link === undefined ? null : JSON.stringify(mail.link),
      };
      await db.insertInto('mails').values(row).execute();
      return 'stored';
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
        // One that had to wait counts in the hour in which it is sent.
        const hasWaited = mail.attempts === 0 && mail.next_attempt_at !== mail.created_at;
        const waitMs = hasWaited ? (await mailbox.take(mailboxOf(mail.recipient))) * 1000 : 0;
        const { numUpdatedRows } = await db
          .updateTable('mails')
          .set({ next_attempt_at: now + (waitMs || takenMs) })
          .where('id', '=', mail.id)
          .where('next_attempt_at', '=', mail.next_attempt_at)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 1n && waitMs === 0) return mail;
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
