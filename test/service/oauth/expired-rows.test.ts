// When expired rows are deleted, to the millisecond.
import { expect, test } from 'vitest';
import type { Tables } from '#service/database/tables.ts';
import { createExpiryCleanup } from '#service/oauth/forget-expired.ts';
import { hourMs, startWithRows } from './stored-rows.ts';

type Started = Awaited<ReturnType<typeof startWithRows>>;

/** Puts a row of each kind that expires, at that time, into the database. */
async function addExpiring({ db, application: { id, accountId } }: Started, name: string, at: number) {
  const grant = { application_id: id, account_id: accountId, kind: 'password', scope: '' } as const;
  await db
    .insertInto('grants')
    .values([
      { id: name, ...grant, created_at: at, revoked_at: null },
      // It keeps its tokens, whatever its age.
      { id: `${name} with access`, ...grant, created_at: 0, revoked_at: null },
      { id: `${name} with refresh`, ...grant, created_at: 0, revoked_at: null },
    ])
    .execute();
  const access = { scope: '', family: null };
  await db
    .insertInto('access_tokens')
    .values({ hash: name, grant_id: `${name} with access`, ...access, expires_at: at })
    .execute();
  await db
    .insertInto('refresh_tokens')
    .values({ hash: name, grant_id: `${name} with refresh`, expires_at: at, replaced_at: null })
    .execute();
  await db.insertInto('ended_families').values({ family: name, expires_at: at }).execute();
  const number = (await db.selectFrom('revoked').selectAll().execute()).length + 1;
  await db.insertInto('revoked').values({ number, kind: 'grant', subject: name, at }).execute();
  await db
    .insertInto('mail_links')
    .values({ hash: name, purpose: 'reset-password', account_id: accountId, email: 'e', expires_at: at, used: 0 })
    .execute();
  await db.insertInto('mail_recipients').values({ recipient_key: name, last_at: at }).execute();
  await db.insertInto('allowed_requests').values({ id: name, expires_at: at }).execute();
}

test('everything that expires is deleted an hour later, and an allowed request 30 days later', async () => {
  const service = await startWithRows();
  const { db, clock, rows, now } = service;
  const cleanUp = createExpiryCleanup(db, clock);
  await addExpiring(service, 'old', now - hourMs - 1);
  await addExpiring(service, 'young', now - hourMs);
  await cleanUp();

  const names = async (table: keyof Tables, column: string) =>
    ((await rows(table)) as Record<string, unknown>[]).map((row) => String(row[column])).toSorted();
  const left = async () => ({
    grants: await names('grants', 'id'),
    access: await names('access_tokens', 'hash'),
    refresh: await names('refresh_tokens', 'hash'),
    families: await names('ended_families', 'family'),
    revoked: await names('revoked', 'subject'),
    links: await names('mail_links', 'hash'),
    recipients: await names('mail_recipients', 'recipient_key'),
    allowed: await names('allowed_requests', 'id'),
  });
  const young = ['young'];
  expect(await left()).toEqual({
    grants: ['young', 'young with access', 'young with refresh'],
    access: young,
    refresh: young,
    families: young,
    revoked: young,
    links: young,
    recipients: young,
    allowed: ['old', 'young'],
  });
  clock.advance((30 * 24 - 1) * 3_600);
  await cleanUp();
  expect((await left()).allowed).toEqual(['young']);
  clock.advance(1);
  await cleanUp();
  expect(Object.values(await left()).flat()).toEqual([]);
});

test('more than one batch of expired rows is deleted, and a grant in use by its application stays', async () => {
  const service = await startWithRows();
  const { db, clock, tokens, client, rows, userGrant, now } = service;
  await tokens.issueClientTokens(await client());
  const { client_grant: clientGrant } = await client();
  const kept = await userGrant();
  await tokens.issueRefreshToken(kept);
  const expires_at = now - 2 * hourMs;
  const many = Array.from({ length: 501 }, (_, index) => `row ${index}`);
  await db
    .insertInto('access_tokens')
    .values(many.map((hash) => ({ hash, grant_id: kept.id, scope: '', expires_at })))
    .execute();
  await db
    .insertInto('refresh_tokens')
    .values(many.map((hash) => ({ hash, grant_id: kept.id, expires_at, replaced_at: null })))
    .execute();
  await db
    .insertInto('ended_families')
    .values(many.map((family) => ({ family, expires_at })))
    .execute();
  const empty = { application_id: kept.application_id, account_id: kept.account_id, kind: 'password' } as const;
  await db
    .insertInto('grants')
    .values(many.map((name) => ({ id: name, ...empty, scope: '', created_at: 0, revoked_at: null })))
    .execute();
  await db
    .insertInto('allowed_requests')
    .values(many.map((name) => ({ id: name, expires_at })))
    .execute();
  const cleanUp = createExpiryCleanup(db, clock);
  await cleanUp();
  expect([(await rows('access_tokens')).length, (await rows('refresh_tokens')).length]).toEqual([1, 1]);
  expect(await rows('ended_families')).toEqual([]);
  const ids = (await rows('grants')).map((row) => (row as { id: string }).id);
  expect(new Set(ids)).toEqual(new Set([clientGrant, kept.id]));
  clock.advance(30 * 24 * 3_600);
  await cleanUp();
  expect(await rows('allowed_requests')).toEqual([]);
});
