// Sends emails through Nodemailer if a mail server is configured, from the outbox and in the background. Retries after 1, 5, and 30
// minutes if a server does not accept an email, even after a restart. Without a mail server, emails stay in the outbox for the
// operator.
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import type { LinkRequest, Links } from './links.ts';
import type { Mail, NewMail, Outbox } from './outbox.ts';

const retryMinutes = [1, 5, 30];
const socketTimeoutMs = 15_000;
/** How often to check for emails of other processes, such as the operator's commands. */
const pollIntervalMs = 60_000;
const backgroundLimit = 1_000;

export type Mailer = ReturnType<typeof createMailer>;

type Dependencies = {
  config: { smtpUrl?: string | undefined; mailFrom: string };
  outbox: Outbox;
  links: Pick<Links, 'issue'>;
  clock: Clock;
  log: Logger;
  /** False: another process sends the emails. */
  sends?: boolean;
};

export function createMailer({ config, outbox, links, clock, log, sends = true }: Dependencies) {
  const { smtpUrl, mailFrom } = config;
  const timeouts = { connectionTimeout: socketTimeoutMs, socketTimeout: socketTimeoutMs };
  let transport: Promise<Transporter> | undefined;
  /** Loaded with the first email, because most services never send one. */
  const openTransport = async (url: string): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url, ...timeouts });
  };
  let delivering: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let isClosed = false;
  const background = new Set<Promise<unknown>>();

  async function sendOne(mail: Mail, url: string): Promise<void> {
    const attempts = mail.attempts + 1;
    try {
      transport ??= openTransport(url);
      await (
        await transport
      ).sendMail({
        from: mailFrom,
        to: mail.recipient,
        ...(mail.reply_to === null ? {} : { replyTo: mail.reply_to }),
        subject: mail.subject,
        text: mail.link === null ? mail.body : await withLink(mail.body, mail.link),
      });
      await outbox.settle(mail.id, { state: 'sent', attempts, next_attempt_at: null });
    } catch (error) {
      const wait = retryMinutes[mail.attempts];
      log.warn({ err: error, mail: mail.id, attempts }, 'an email could not be sent');
      if (wait === undefined) await outbox.settle(mail.id, { state: 'failed', attempts, next_attempt_at: null });
      else await outbox.settle(mail.id, { attempts, next_attempt_at: clock.now() + wait * 60_000 });
    }
  }

  const withLink = async (text: string, link: string) =>
    text.replace('{link}', await links.issue(JSON.parse(link) as LinkRequest));

  async function deliverDue(url: string): Promise<void> {
    while (!isClosed) {
      const mail = await outbox.takeDue();
      if (!mail) break;
      await sendOne(mail, url);
    }
    const at = await outbox.nextDueAt();
    deliverIn(Math.min(pollIntervalMs, at === undefined ? pollIntervalMs : Math.max(0, at - clock.now())));
  }

  /** One at a time; a call during a delivery waits for it and then checks again. */
  function deliver(): Promise<void> {
    if (smtpUrl === undefined || isClosed || !sends) return Promise.resolve();
    const next = (delivering ?? Promise.resolve()).then(() => deliverDue(smtpUrl));
    delivering = next.catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read'));
    return delivering;
  }

  function deliverIn(delayMs: number): void {
    cancelTimer?.();
    cancelTimer = isClosed ? undefined : clock.after(delayMs, () => void deliver());
  }

  return {
    /** Whether a mail server is configured, so that an address can be confirmed by a link. */
    isSending: smtpUrl !== undefined,
    /** Resolves when the email is in the outbox, which sends it; `limited`: dropped, because the mailbox got too many. */
    async send(mail: NewMail): Promise<'stored' | 'limited'> {
      const result = await outbox.put(mail, smtpUrl !== undefined);
      void deliver();
      return result;
    },
    /** Runs work whose duration must not affect a response. Logs failures; `close` waits for it. */
    inBackground(work: () => Promise<unknown>) {
      if (background.size >= backgroundLimit) return;
      const done = work()
        .catch((error: unknown) => log.error({ err: error }, 'a background task failed'))
        .finally(() => background.delete(done));
      background.add(done);
    },
    /** Sends all pending emails, including those of earlier starts; resolves after the attempt. */
    deliver,
    async close() {
      isClosed = true;
      cancelTimer?.();
      await Promise.all(background);
      await delivering;
      (await transport)?.close();
    },
  };
}
