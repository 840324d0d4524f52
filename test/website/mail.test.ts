// Emails: over a real SMTP server where one is configured, tried again where it is away, kept for the operator otherwise.
import { SMTPServer } from 'smtp-server';
import pino from 'pino';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '#contract/clock.ts';
import { openDatabase } from '#service/database/open-database.ts';
import { createMailer } from '#service/mail/mailer.ts';
import { createOutbox } from '#service/mail/outbox.ts';
import { type TestClock, temporaryFolder, testClock } from '../oauth/oauth-service.ts';
import { ann, createVisitor, register, startWebsite } from './website-service.ts';

type Received = { from: string; to: string[]; text: string; user: string };

async function startMailServer(isWilling: () => boolean = () => true) {
  const received: Received[] = [];
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username = '', password }, _session, done) =>
      password === 'mail secret' ? done(null, { user: username }) : done(new Error('wrong')),
    onMailFrom: (_address, _session, done) => done(isWilling() ? null : new Error('busy')),
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({ from, to: rcptTo.map((address) => address.address), text, user: String(session.user) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `smtp://robot:mail%20secret@127.0.0.1:${port}`, received };
}

async function startMailer(smtpUrl: string | undefined, shared?: { folder: string; clock: TestClock }) {
  const timers: (() => void)[] = [];
  const { folder, clock } = shared ?? { folder: await temporaryFolder(), clock: testClock() };
  const withTimers: Clock = { now: clock.now, after: (_delayMs, run) => (timers.push(run), () => {}) };
  const log = pino({ level: 'silent' });
  const { db, close } = await openDatabase({ file: join(folder, 'service.sqlite'), clock, log });
  const outbox = createOutbox({ db, clock });
  const mailer = createMailer({
    config: { smtpUrl, mailFrom: 'Rainbell <rain@example.org>' },
    outbox,
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
};

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

test('without a mail server the operator reads the messages on the website, and nobody else does', async () => {
  const service = await startWebsite();
  await service.oauth.accounts.create({
    username: 'boss',
    email: 'boss@example.org',
    password: 'the boss is here',
    isOperator: true,
  });
  const visitor = createVisitor(service.baseUrl);
  await visitor.send('/contact/', { email: 'eve@example.org', message: '<b>Hello</b>' });
  await register(visitor);
  expect((await visitor.get('/operator/')).status).toBe(404);
  await visitor.send('/usage/', {});
  const operator = createVisitor(service.baseUrl);
  await operator.send('/sign-in/', { username: 'boss', password: 'the boss is here' });
  const { text } = await operator.get('/operator/');
  expect(text).toContain('&lt;b&gt;Hello&lt;/b&gt;');
  expect(text).toContain('eve@example.org');
  expect(text).toContain(ann.email);
});
