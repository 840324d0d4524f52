// When expired rows are deleted, to the millisecond, on both databases.
import { expect, test } from 'vitest';
import type { Tables } from '#service/database/tables.ts';
import { createExpiryCleanup } from '#service/oauth/forget-expired.ts';
import { engines } from '#test/service/engines.ts';
import { openOAuth } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

type Started = Pick<Awaited<ReturnType<typeof openOAuth>>, 'db'> & { application: { id: string; accountId: string } };

/** Puts rows of each kind that expires, at that time, into the database: one for each name. */
async function addExpiring({ db, application: { id, accountId } }: Started, names: readonly string[], at: number) {
  const grant = { application_id: id, account_id: accountId, kind: 'password', scope: '', revoked_at: null } as const;
  const rowsOf = <Row>(row: (name: string) => Row) => names.map(row);
  const grants = names.flatMap((name) => [
    { id: name, ...grant, created_at: at },
    // It keeps its tokens, whatever its age.
    { id: `${name} with access`, ...grant, created_at: 0 },
    { id: `${name} with refresh`, ...grant, created_at: 0 },
  ]);
  await db.insertInto('grants').values(grants).execute();
  const access = rowsOf((name) => ({ hash: name, grant_id: `${name} with access`, scope: '', expires_at: at }));
  await db.insertInto('access_tokens').values(access).execute();
  const refresh = rowsOf((name) => ({ hash: name, grant_id: `${name} with refresh`, expires_at: at }));
  await db.insertInto('refresh_tokens').values(refresh).execute();
  const spent = rowsOf((name) => ({ id: name, expires_at: at }));
  await db.insertInto('spent_tokens').values(spent).execute();
  const { length: last } = await db.selectFrom('revoked').select('number').execute();
  const revoked = names.map((subject, index) => ({ number: last + 1 + index, kind: 'grant' as const, subject, at }));
  await db.insertInto('revoked').values(revoked).execute();
  const link = { purpose: 'reset-password', account_id: accountId, email: 'e', used: 0 } as const;
  const links = rowsOf((hash) => ({ hash, ...link, expires_at: at }));
  await db.insertInto('mail_links').values(links).execute();
}

test.each(engines)(
  '%s: all that expires is deleted an hour later, and a grant of client credentials stays',
  async (engine) => {
    const parts = await openOAuth(engine);
    const { db, clock, oauth } = parts;
    const application = await registerApplication(parts);
    const client = await oauth.applications.findActive(application.clientId);
    await oauth.tokens.issueClientTokens(client!);
    await db.deleteFrom('access_tokens').execute();
    const cleanUp = createExpiryCleanup(db, clock);
    const [now, hourMs] = [clock.now(), 3_600_000];
    // More than one batch.
    const old = Array.from({ length: 501 }, (_, index) => `old ${index}`);
    await addExpiring({ db, application }, old, now - hourMs - 1);
    await addExpiring({ db, application }, ['young'], now - hourMs);
    await cleanUp();

    const names = async (table: keyof Tables, column: string) => {
      const rows: unknown[] = await db
        .selectFrom(table as 'grants')
        .selectAll()
        .execute();
      return rows.map((row) => String((row as Record<string, unknown>)[column])).toSorted();
    };
    const left = async () => ({
      grants: (await names('grants', 'id')).filter((id) => id.includes('young') || id.includes('old')),
      access: await names('access_tokens', 'hash'),
      refresh: await names('refresh_tokens', 'hash'),
      spent: await names('spent_tokens', 'id'),
      revoked: await names('revoked', 'subject'),
      links: await names('mail_links', 'hash'),
    });
    const young = ['young'];
    expect(await left()).toEqual({
      grants: ['young', 'young with access', 'young with refresh'],
      access: young,
      refresh: young,
      spent: young,
      revoked: young,
      links: young,
    });
    clock.advance(1);
    await cleanUp();
    expect(Object.values(await left()).flat()).toEqual([]);
    const kept = await db.selectFrom('grants').select('kind').execute();
    expect(kept).toEqual([{ kind: 'client_credentials' }]);
  },
);
