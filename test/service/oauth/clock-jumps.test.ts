// Tokens, codes, sessions and dialogs after the service's clock was set back or forward, on both databases.
import pino, { type Logger } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { configWith } from '#service/config/config.ts';
import { bindSocket, closeSocket, createHttpServer } from '#service/http/server.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { DatabaseLocation } from '#service/database/open-database.ts';
import { createOAuth } from '#service/oauth/create-oauth.ts';
import { ensureSandbox } from '#service/oauth/sandbox-application.ts';
import { sandboxCredentials } from '#service/oauth/sandbox-key.ts';
import { startDatabaseProxy } from '#test/service/database/database-proxy.ts';
import { engines, newDatabase, type Engine } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { quickPasswords, testClock } from './oauth-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const hourMs = 3_600_000;

type StartOptions = { log?: Logger; location?: DatabaseLocation };

async function start(engine: Engine, { log = pino({ level: 'silent' }), ...options }: StartOptions = {}) {
  const folder = temporaryFolder();
  const location = options.location ?? (await newDatabase(engine, folder));
  const clock = testClock();
  const { db, close } = await openServiceDatabase({ ...location, clock, log });
  const passwords = quickPasswords();
  const oauth = createOAuth({
    config: configWith({ dataFolder: folder }),
    clock,
    machineClock: systemClock,
    log,
    db,
    passwords,
  });
  const socket = await bindSocket('127.0.0.1', 0, undefined);
  const { server } = createHttpServer(socket, log);
  await oauth.registerRoutes(server, socket.baseUrl);
  onTestFinished(async () => {
    await closeSocket(socket);
    await server.close();
    await oauth.close();
    await close();
  });
  const sandbox = await ensureSandbox({ db, clock, passwords, credentials: sandboxCredentials(folder) });
  const account = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const grant = await oauth.tokens.createGrant({
    applicationId: sandbox.applicationId,
    accountId: account.id,
    kind: 'authorization_code',
    scope: [],
  });
  return { db, clock, oauth, account, grant };
}

test.each(engines)(
  '%s: a token of a clock that is set back stays valid, for its lifetime and no longer',
  async (engine) => {
    const { db, clock, oauth, account, grant } = await start(engine);
    const { tokens, sessions } = oauth;
    const access = await tokens.issueAccessToken(grant, []);
    const refresh = await tokens.issueRefreshToken(grant);
    const code = await tokens.issueCode(grant, 'https://a.example.org/cb', null);
    await sessions.begin(account.id, 'a session ID');
    clock.jump(-4 * 3_600);
    // The last row that is corrected.
    await eventually(async () => {
      const row = await db.selectFrom('sessions').select('expires_at').executeTakeFirst();
      expect(row?.expires_at).toBe(clock.now() + 14 * 24 * hourMs);
    });
    expect((await tokens.findAccessToken(access))?.expiresAt).toBe(clock.now() + hourMs);
    expect((await tokens.findCode(code))?.expires_at).toBe(clock.now() + 60_000);
    expect((await tokens.findRefreshToken(refresh))?.expires_at).toBe(clock.now() + 90 * 24 * hourMs);
    expect(await sessions.find('a session ID')).toMatchObject({ id: account.id });
  },
);

test('a token of a clock that jumps forward has expired, and one that is issued then is valid', async () => {
  const { clock, oauth, grant } = await start('sqlite');
  const { tokens } = oauth;
  const old = await tokens.issueAccessToken(grant, []);
  clock.jump(3 * 3_600);
  expect((await tokens.findAccessToken(old))?.expiresAt).toBeLessThan(clock.now());
  const fresh = await tokens.issueAccessToken(grant, []);
  expect((await tokens.findAccessToken(fresh))?.expiresAt).toBe(clock.now() + hourMs);
});

test('a clock that is set back while the database is away costs no token, and is noticed once the database is back', async () => {
  const own = await newDatabase('postgres', temporaryFolder());
  if (!('url' in own)) throw new Error('This test needs PostgreSQL.');
  const proxy = await startDatabaseProxy(own.url);
  proxy.restore();
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const { db, clock, oauth, grant } = await start('postgres', { log, location: { url: proxy.url } });
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
