// Tokens, codes, sessions, and mailed links after the service's clock was set back: they stay valid, for their lifetime and no longer.
import Fastify from 'fastify';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createLinks } from '#service/mail/links.ts';
import { clampExpiries } from '#service/oauth/clamp-expiries.ts';
import { startDatabaseProxy } from '#test/service/database/database-proxy.ts';
import { newPostgres } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { openOAuth } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

test('nothing expires later than its usual lifetime from now, and what expires sooner stays as it is', async () => {
  const { db, clock, oauth } = await openOAuth('sqlite');
  const { id: applicationId, accountId } = await registerApplication({ db, clock, oauth });
  const grant = await oauth.tokens.createGrant({ applicationId, accountId, kind: 'password', scope: [] });
  const links = createLinks({ db, clock, baseUrl: 'http://127.0.0.1' });
  const linkLifetimes = { 'confirm-email': dayMs, 'reset-password': hourMs, 'launch-notice': dayMs } as const;
  const purposes = Object.keys(linkLifetimes) as (keyof typeof linkLifetimes)[];
  async function issueAll(session: string): Promise<void> {
    await oauth.tokens.issueAccessToken(grant, []);
    await oauth.tokens.issueRefreshToken(grant);
    await oauth.tokens.issueCode(grant, 'https://a.example.org/cb', null);
    await oauth.sessions.begin(accountId, session);
    for (const purpose of purposes) await links.issue({ purpose, accountId, email: 'a@example.org' });
  }
  await issueAll('sooner');
  clock.advance(3_600);
  await issueAll('too late');
  clock.jump(-3_599);
  await clampExpiries(db, clock, oauth.tokens.lifetimes);

  const lifetimes = { access_tokens: hourMs, refresh_tokens: 90 * dayMs, codes: 60_000, sessions: 14 * dayMs } as const;
  for (const [table, lifetimeMs] of Object.entries(lifetimes)) {
    const rows = await db
      .selectFrom(table as keyof typeof lifetimes)
      .select('expires_at')
      .orderBy('expires_at')
      .execute();
    const expiries = rows.map(({ expires_at }) => expires_at - clock.now());
    expect([table, expiries]).toEqual([table, [lifetimeMs - 1_000, lifetimeMs]]);
  }
  const mailed = await db.selectFrom('mail_links').select(['purpose', 'expires_at']).orderBy('expires_at').execute();
  for (const purpose of purposes) {
    const own = mailed.filter((link) => link.purpose === purpose).map(({ expires_at }) => expires_at - clock.now());
    expect([purpose, own]).toEqual([purpose, [linkLifetimes[purpose] - 1_000, linkLifetimes[purpose]]]);
  }
});

test('a clock that is set back while the database is away costs no token, and is noticed once the database is back', async () => {
  const proxy = await startDatabaseProxy(await newPostgres());
  proxy.restore();
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const parts = await openOAuth('postgres', { log, location: { url: proxy.url } });
  const { db, clock, oauth } = parts;
  await oauth.registerRoutes(Fastify(), 'http://127.0.0.1');
  const { id: applicationId } = await registerApplication(parts);
  const kind = 'client_credentials';
  const grant = await oauth.tokens.createGrant({ applicationId, accountId: null, kind, scope: [] });
  const token = await oauth.tokens.issueAccessToken(grant, []);
  const request = { headers: { authorization: `Bearer ${token}` } };
  expect(await oauth.isStillValid(request)).toBe(true);

  proxy.cut();
  clock.jump(-4 * 3_600);
  await eventually(() => expect(lines.join('')).toContain('expiry times could not be checked'));
  expect(await oauth.isStillValid(request)).toBe(true);

  proxy.restore();
  await eventually(async () => {
    const row = await db.selectFrom('access_tokens').select('expires_at').executeTakeFirst();
    expect(row?.expires_at).toBe(clock.now() + hourMs);
  });
});
