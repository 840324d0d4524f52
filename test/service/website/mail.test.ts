// Emails: over a real SMTP server if one is configured, tried again if it is away, kept for the operator otherwise.
import pino from 'pino';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createLinks } from '#service/mail/links.ts';
import { createMailer } from '#service/mail/mailer.ts';
import { createOutbox } from '#service/mail/outbox.ts';
import { type TestClock, testClock } from '#test/service/oauth/oauth-service.ts';
import { startMailServer } from './mail-server.ts';
import { ann, createVisitor, register, startWebsite } from './website-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function startMailer(smtpUrl: string | undefined, shared?: { folder: string; clock: TestClock }) {
  const timers: (() => void)[] = [];
  const { folder, clock } = shared ?? { folder: temporaryFolder(), clock: testClock() };
  const withTimers: Clock = { ...clock, after: (_delayMs, run) => (timers.push(run), () => {}) };
  const log = pino({ level: 'silent' });
  const { db, close } = await openServiceDatabase({ file: join(folder, 'service.sqlite'), clock, log });
  const outbox = createOutbox({ db, clock });
  const mailer = createMailer({
    config: { smtpUrl, mailFrom: 'Rainbell <rain@example.org>' },
    outbox,
    links: createLinks({ db, clock, baseUrl: 'https://weather.example.org' }),
    clock: withTimers,
    log,
  });
  onTestFinished(async () => {
    await mailer.close();
    await close();
  });
  return { mailer, outbox, clock, folder, timers };
}

const mail = {
  to: 'operator@example.org',
  replyTo: 'ann@example.org',
  subject: 'Hello',
  text: 'Rain is wet.\nSürprise.\n',
  whenLimited: 'keep',
} as const;

test('an email goes to the mail server with its sender, its receiver and its text', async () => {
  const { url, received } = await startMailServer();
  const { mailer, outbox } = await startMailer(url);
  await mailer.send(mail);
  await mailer.deliver();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: 'rain@example.org', to: ['operator@example.org'], user: 'robot' });
  expect(received[0]?.text).toContain('Reply-To: ann@example.org');
  expect((await outbox.list())[0]?.state).toBe('sent');
});

test('a mail server that is away is tried again a minute later, and the email is sent once', async () => {
  let isWilling = false;
  const { url, received } = await startMailServer(() => isWilling);
  const { mailer, outbox, clock, timers } = await startMailer(url);
  await mailer.send(mail);
  await mailer.deliver();
  expect(received).toHaveLength(0);
  expect((await outbox.list())[0]).toMatchObject({ state: 'waiting', attempts: 1 });
  isWilling = true;
  clock.advance(60);
  timers.at(-1)?.();
  await mailer.deliver();
  expect(received).toHaveLength(1);
});

test('an email that waited when the service ended is sent by the next start, once for all processes', async () => {
  let isWilling = false;
  const { url, received } = await startMailServer(() => isWilling);
  const first = await startMailer(url);
  for (let number = 0; number < 3; number += 1) await first.mailer.send(mail);
  await first.mailer.deliver();
  await first.mailer.close();
  isWilling = true;
  first.clock.advance(30);
  const next = await Promise.all([1, 2].map(() => startMailer(url, first)));
  await Promise.all(next.map(({ mailer }) => mailer.deliver()));
  expect(received).toHaveLength(0);
  // Not due yet, but the clock is set for it.
  first.clock.advance(30);
  expect(next.map(({ timers }) => timers.length)).toEqual([1, 1]);
  await Promise.all(next.map(({ mailer }) => mailer.deliver()));
  expect(received).toHaveLength(3);
});

test('an address cannot smuggle headers or further receivers into an email', async () => {
  const { url, received } = await startMailServer();
  const { mailer } = await startMailer(url);
  await mailer.send({
    ...mail,
    subject: 'Hi\r\nBcc: everybody@example.org',
    replyTo: 'a@example.org\r\nBcc: all@example.org',
  });
  await mailer.deliver();
  expect(received[0]?.to).toEqual(['operator@example.org']);
  expect(received[0]?.text).not.toMatch(/^Bcc:/m);
});

test('without a mail server the operator reads the messages in the outbox', async () => {
  const service = await startWebsite();
  const visitor = createVisitor(service.baseUrl);
  await visitor.send('/contact/', { email: 'eve@example.org', message: '<b>Hello</b>' });
  await register(visitor);
  await visitor.send('/usage/', {});
  const mails = await createOutbox(service).list();
  expect(mails.map(({ state }) => state)).toEqual(['kept', 'kept']);
  const text = JSON.stringify(mails);
  for (const words of ['<b>Hello</b>', 'eve@example.org', ann.email]) expect(text).toContain(words);
});
