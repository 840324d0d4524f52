// What one mailbox gets: three emails an hour, whichever user requests them, in all processes together; and links that work once.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAccountStore } from '#service/accounts/account-store.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createLinks } from '#service/mail/links.ts';
import { createOutbox, mailboxOf, type NewMail } from '#service/mail/outbox.ts';
import { engines, newDatabase, type Engine } from '#test/service/engines.ts';
import { quickPasswords, testClock } from '#test/service/oauth/oauth-service.ts';
import { linkIn, mailTo, startMailServer } from './mail-server.ts';
import { createVisitor, feedbackOf, startWebsite } from './website-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const mail: NewMail = { to: 'ann@example.org', subject: 'Hello', text: 'Rain.\n', whenLimited: 'drop' };

/**
 * Two connections to one database, as two processes have them; for SQLite the same one twice, because a thread that waits for
 * another connection's lock would keep that one from going on.
 */
async function openTwice(engine: Engine) {
  // Limits are of the machine's time.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = temporaryFolder();
  const location = await newDatabase(engine, folder);
  const clock = testClock();
  const open = async () => {
    const database = await openServiceDatabase({ ...location, clock, log: pino({ level: 'silent' }) });
    onTestFinished(() => database.close());
    return database.db;
  };
  const db = await open();
  return { clock, dbs: [db, engine === 'sqlite' ? db : await open()] as const };
}

describe.each(engines)('on %s', (engine) => {
  test('a mailbox gets three emails an hour from all processes together', async () => {
    const { clock, dbs } = await openTwice(engine);
    const [db] = dbs;
    const outboxes =
      engine === 'sqlite'
        ? [createOutbox({ db, clock })]
        : dbs.map((each) => createOutbox({ db: each, clock, fleet: db }));
    const addresses = ['ann@example.org', 'Ann@Example.org', 'ann+news@example.org'];
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, async (_, index) =>
        outboxes[index % outboxes.length]?.put({ ...mail, to: addresses[index % 3] ?? '' }, true),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(3);
    expect(await outboxes[0]?.put({ ...mail, to: 'bob@example.org' }, true)).toBe('stored');
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(await outboxes.at(-1)?.put(mail, true)).toBe('stored');
  });

  test('a link is used by exactly one of many at once, and gives its account the address', async () => {
    const { clock, dbs } = await openTwice(engine);
    const stores = dbs.map((db) => createAccountStore({ db, clock, passwords: quickPasswords(), confirmsEmail: true }));
    const [store] = stores;
    const create = (username: string) =>
      store?.create({ username, email: 'shared@example.org', password: 'long enough', emailState: 'pending' });
    const [ann, bob] = [await create('ann'), await create('bob')];
    const links = createLinks({ db: dbs[0], clock, baseUrl: 'https://weather.example.org' });
    const found = await Promise.all(
      [ann, bob].map(async (account) => {
        const request = {
          purpose: 'confirm-email',
          accountId: account?.id ?? '',
          email: 'shared@example.org',
        } as const;
        const url = new URL(await links.issue(request));
        return links.find(url.searchParams.get('token') ?? '', 'confirm-email');
      }),
    );
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const link = found[index % 2];
        if (!link) return 'no link';
        return stores[index % 3 === 0 ? 0 : 1]?.confirmEmailBy(link).then(
          ({ account }) => account.username,
          (error: { kind: string }) => error.kind,
        );
      }),
    );
    const winners = outcomes.filter((outcome) => outcome === 'ann' || outcome === 'bob');
    expect(winners).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set([winners[0], 'email_taken', 'link_used']));
    expect((await store?.findForSignIn('SHARED@example.org'))?.username).toBe(winners[0]);
  });
});

describe('the limit of a mailbox', () => {
  test.each([
    ['Ann+tag@Example.ORG', 'ann@example.org'],
    ['a.n.n@gmail.com', 'ann@gmail.com'],
    ['ann@googlemail.com', 'ann@gmail.com'],
    ['a.nn@example.org', 'a.nn@example.org'],
  ])('counts %s as %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });

  test('delays what its owner has to know and keeps what the operator reads', async () => {
    const { clock, dbs } = await openTwice('sqlite');
    const outbox = createOutbox({ db: dbs[0], clock });
    const start = clock.now();
    for (let count = 0; count < 3; count += 1) await outbox.put(mail, true);
    for (let count = 0; count < 4; count += 1) await outbox.put({ ...mail, whenLimited: 'delay' }, true);
    for (let count = 0; count < 4; count += 1) await outbox.put({ ...mail, whenLimited: 'keep' }, count === 3);
    const hours = (await outbox.list()).map(({ state, next_attempt_at }) =>
      next_attempt_at === null ? state : `${(next_attempt_at - start) / 3_600_000} h`,
    );
    const expected = ['0 h', '0 h', '0 h', '1 h', '1 h', '1 h', '1 h', 'kept', 'kept', 'kept', 'kept'];
    expect(hours.toSorted((one, other) => one.localeCompare(other))).toEqual(expected);
    // A thousand changes of a password do not fill the outbox.
    const outcomes: string[] = [];
    for (let count = 0; count < 30; count += 1)
      outcomes.push(await outbox.put({ ...mail, whenLimited: 'delay' }, true));
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(16);
    // Those that wait count in the hour in which they are sent.
    for (let hour = 0; hour < 8; hour += 1) {
      let sent = 0;
      for (let due = await outbox.takeDue(); due; due = await outbox.takeDue(), sent += 1)
        await outbox.settle(due.id, { state: 'sent', next_attempt_at: null });
      expect(sent).toBe(hour === 7 ? 2 : 3);
      expect(await outbox.put({ ...mail, whenLimited: 'delay' }, true)).toBe(hour === 7 ? 'stored' : 'limited');
      vi.setSystemTime(Date.now() + 3_600_000);
      clock.advance(3_600);
    }
  });

  test('holds for all forms: thirty visitors cannot mail a stranger more than three times', async () => {
    const mailServer = await startMailServer();
    const { baseUrl, oauth, db } = await startWebsite({ smtpUrl: mailServer.url });
    await oauth.accounts.create({ username: 'vic', email: 'victim@example.org', password: 'long enough' });
    for (let count = 0; count < 10; count += 1) {
      const visitor = createVisitor(baseUrl);
      const account = { username: `user-${count}`, email: 'Victim+x@example.org', password: 'long enough' };
      expect(feedbackOf(await visitor.send('/register/', account))).toEqual(['email_link_sent']);
      const forgotten = await visitor.send('/forgot-password/', { username: 'vic' });
      expect(feedbackOf(forgotten)).toEqual(['reset_link_sent']);
    }
    await expect.poll(() => mailServer.received.length).toBe(3);
    expect(await db.selectFrom('mails').select('id').execute()).toHaveLength(3);
  });
});

test('the token of a mailed link is in no file, not even while the email waits', async () => {
  const mailServer = await startMailServer();
  const { baseUrl, db, folder } = await startWebsite({ smtpUrl: mailServer.url });
  const account = { username: 'ann', email: 'ann@example.org', password: 'long enough' };
  await createVisitor(baseUrl).send('/register/', account);
  const token = linkIn(await mailTo(mailServer, account.email), baseUrl).split('token=')[1] ?? '';
  expect(token).toMatch(/^[A-Za-z0-9]{43}$/);
  expect(JSON.stringify(await db.selectFrom('mails').selectAll().execute())).toContain('{link}');
  const files = await readdir(join(folder, 'service'));
  const contents = await Promise.all(files.map((file) => readFile(join(folder, 'service', file), 'latin1')));
  expect([contents.join('').includes(account.email), contents.join('').includes(token)]).toEqual([true, false]);
});

test('an address for the launch notice is sent to the operator, nothing is mailed to it, and messages still arrive', async () => {
  const { baseUrl, db } = await startWebsite({ smtpUrl: 'smtp://127.0.0.1:9' });
  const visitor = createVisitor(baseUrl);
  const email = 'ann@example.org';
  for (let count = 0; count < 4; count += 1)
    expect(feedbackOf(await visitor.send('/launch/', { email }))).toEqual(['launch_registered']);
  expect(feedbackOf(await visitor.send('/contact/', { email, message: 'Hello' }))).toEqual(['email_sent']);
  const mails = await db.selectFrom('mails').select(['recipient', 'subject', 'state']).orderBy('created_at').execute();
  expect(mails.map(({ recipient, subject, state }) => [recipient, subject, state])).toEqual(
    ['launch notice', 'launch notice', 'launch notice', 'launch notice', 'contact message'].map((subject, index) => [
      'operator@rainbell.invalid',
      `Rainbell: ${subject}`,
      index === 3 ? 'kept' : 'waiting',
    ]),
  );
});
