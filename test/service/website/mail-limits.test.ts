// What one mailbox gets: three emails an hour, whichever user requests them, in all processes together; and links that work once.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
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
    const outboxes = dbs.map((db) => createOutbox({ db, clock }));
    const addresses = ['ann@example.org', 'Ann@Example.org', 'ann+news@example.org'];
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, async (_, index) =>
        outboxes[index % 2]?.put({ ...mail, to: addresses[index % 3] ?? '' }, true),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(3);
    expect(await outboxes[0]?.put({ ...mail, to: 'bob@example.org' }, true)).toBe('stored');
    clock.advance(3_600);
    expect(await outboxes[1]?.put(mail, true)).toBe('stored');
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
    await outbox.put({ ...mail, whenLimited: 'keep' }, true);
    const hours = (await outbox.list()).map(({ state, next_attempt_at }) =>
      next_attempt_at === null ? state : `${(next_attempt_at - start) / 3_600_000} h`,
    );
    const expected = ['0 h', '0 h', '0 h', '1 h', '1 h', '1 h', '2 h', 'kept'];
    expect(hours.toSorted((one, other) => one.localeCompare(other))).toEqual(expected);
    // A thousand changes of a password do not fill the outbox.
    const outcomes: string[] = [];
    for (let count = 0; count < 30; count += 1)
      outcomes.push(await outbox.put({ ...mail, whenLimited: 'delay' }, true));
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(16);
  });

  test('holds for all forms: thirty visitors cannot mail a stranger more than three times', async () => {
    const mailServer = await startMailServer();
    const { baseUrl, oauth, db } = await startWebsite({ smtpUrl: mailServer.url });
    await oauth.accounts.create({ username: 'vic', email: 'victim@example.org', password: 'long enough' });
    for (let count = 0; count < 10; count += 1) {
      const visitor = createVisitor(baseUrl);
      expect(feedbackOf(await visitor.send('/launch/', { email: 'victim@example.org' }))).toEqual(['launch_link_sent']);
      const account = { username: `user-${count}`, email: 'Victim+x@example.org', password: 'long enough' };
      expect(feedbackOf(await visitor.send('/register/', account))).toEqual(['email_link_sent']);
      const forgotten = await visitor.send('/forgot-password/', { username: 'vic' });
      expect(feedbackOf(forgotten)).toEqual(['reset_link_sent']);
    }
    await expect.poll(() => mailServer.received.length).toBe(3);
    const mails = await db.selectFrom('mails').select('id').where('recipient_key', '=', 'victim@example.org').execute();
    expect(mails).toHaveLength(3);
  });
});

describe('the launch notice', () => {
  test('is for addresses whose owner followed the mailed link', async () => {
    const mailServer = await startMailServer();
    const { baseUrl, db, folder } = await startWebsite({ smtpUrl: mailServer.url });
    const visitor = createVisitor(baseUrl);
    const listed = () => db.selectFrom('launch_notices').select(['email', 'confirmed_at']).execute();
    await visitor.send('/launch/', { email: 'ann@example.org' });
    const link = linkIn(await mailTo(mailServer, 'ann@example.org'), baseUrl);
    // Its token is in no file, not even while the email waits.
    const token = link.split('token=')[1] ?? '';
    expect(token).toMatch(/^[A-Za-z0-9]{43}$/);
    expect(JSON.stringify(await db.selectFrom('mails').selectAll().execute())).toContain('{link}');
    const files = await readdir(join(folder, 'service'));
    const contents = await Promise.all(files.map((file) => readFile(join(folder, 'service', file), 'latin1')));
    expect([contents.join('').includes('ann@example.org'), contents.join('').includes(token)]).toEqual([true, false]);
    await visitor.get(link);
    expect(await listed()).toEqual([]);
    expect(feedbackOf(await visitor.send(link, {}, '/launch/confirm/'))).toEqual(['launch_registered']);
    expect(await listed()).toEqual([{ email: 'ann@example.org', confirmed_at: expect.any(Number) as number }]);
    expect((await visitor.get(link)).status).toBe(404);
    // Asked for again, nothing more is mailed.
    await visitor.send('/launch/', { email: 'ann@example.org' });
    await visitor.send('/launch/', { email: 'bob@example.org' });
    await mailTo(mailServer, 'bob@example.org');
    expect(mailServer.received.map((received) => received.to[0])).toEqual(['ann@example.org', 'bob@example.org']);
  });

  test('without a mail server notes an address as unconfirmed and mails nothing', async () => {
    const { baseUrl, db } = await startWebsite();
    const visitor = createVisitor(baseUrl);
    for (let count = 0; count < 5; count += 1) {
      expect(feedbackOf(await visitor.send('/launch/', { email: 'ann@example.org' }))).toEqual(['launch_registered']);
    }
    expect(await db.selectFrom('launch_notices').select('confirmed_at').execute()).toEqual([{ confirmed_at: null }]);
    expect(await db.selectFrom('mails').select('id').execute()).toEqual([]);
  });
});
