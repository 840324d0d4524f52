// The session cookie: hidden from scripts, not sent with forms of other sites, bound to the host under https, named after the
// port, and ignored if the service did not issue it.
import Fastify from 'fastify';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createSessions, newSessionId } from '#service/accounts/sessions.ts';
import { ensureSigningKey } from '#service/secrets/stored-keys.ts';
import { registerSite, sendPage } from '#service/website/layout/site.ts';
import { createVisitors } from '#service/website/layout/visitor.ts';
import { openOAuth } from '#test/service/oauth/oauth-service.ts';
import { carol } from '#test/service/oauth/registered-application.ts';

/** The Set-Cookie header of a sign-in at that address. */
async function cookieAt(baseUrl: string, sent = ''): Promise<string> {
  const { db, clock, oauth } = await openOAuth('sqlite');
  const account = await oauth.accounts.create(carol);
  const visitors = createVisitors(createSessions({ db, clock }), baseUrl, await ensureSigningKey(db));
  const server = Fastify();
  onTestFinished(() => server.close());
  await registerSite(server, { baseUrl, log: pino({ level: 'silent' }) }, (scope) => {
    scope.get('/', async (request, reply) => {
      await visitors.signIn(reply, await visitors.read(request), account);
      return sendPage(reply, '<!doctype html>');
    });
  });
  const answer = await server.inject({ url: '/', headers: { host: new URL(baseUrl).host, cookie: sent } });
  return String(answer.headers['set-cookie'] ?? '');
}

const value = '[A-Za-z0-9]{43}\\.[\\w-]{43}';

test('under https the cookie is secure, and its name binds it to the host', async () => {
  expect(await cookieAt('https://weather.example.org')).toMatch(
    new RegExp(`^__Host-rainbell_session_https=${value}; Path=/; HttpOnly; Secure; SameSite=Lax$`),
  );
});

test.each([
  ['of the old form', 'x'.repeat(43)],
  ['with a made-up signature', `${'x'.repeat(43)}.${'y'.repeat(43)}`],
  ['of another service', newSessionId(Buffer.alloc(32, 7))],
])(
  'on loopback it is not secure, because browsers would drop it, and replaces a session ID %s',
  async (_name, planted) => {
    const set = await cookieAt('http://127.0.0.1:8420', `rainbell_session_8420=${planted}`);
    expect(set).toMatch(new RegExp(`^rainbell_session_8420=${value}; Path=/; HttpOnly; SameSite=Lax$`));
    expect(set).not.toContain(planted);
  },
);

test('an invented session ID signs no one in, and a session ends after its two weeks', async () => {
  const { db, clock, oauth } = await openOAuth('sqlite');
  const account = await oauth.accounts.create(carol);
  const sessions = createSessions({ db, clock });
  const key = await ensureSigningKey(db);
  expect(await sessions.find(newSessionId(key))).toBeUndefined();
  const id = newSessionId(key);
  await sessions.begin(account.id, id);
  expect((await sessions.find(id))?.username).toBe(carol.username);
  clock.advance(14 * 86_400);
  expect(await sessions.find(id)).toBeUndefined();
});
