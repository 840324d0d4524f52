// The session cookie: never readable by scripts, never sent along from other sites' forms, secure wherever the service is
// reached by https, and named after the port.
import Fastify from 'fastify';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createSessions } from '#service/accounts/sessions.ts';
import { registerSite, sendPage } from '#service/website/site.ts';
import { createVisitors } from '#service/website/visitor.ts';
import { startOAuthService } from '../oauth/oauth-service.ts';

async function cookieAt(baseUrl: string): Promise<string> {
  const { db, clock } = await startOAuthService();
  const visitors = createVisitors(createSessions({ db, clock }), baseUrl);
  const server = Fastify();
  onTestFinished(() => server.close());
  await registerSite(server, { baseUrl, log: pino({ level: 'silent' }) }, (scope) => {
    scope.get('/', async (request, reply) => {
      await visitors.read(request, reply);
      return sendPage(reply, '<!doctype html>');
    });
  });
  const answer = await server.inject({ url: '/', headers: { host: new URL(baseUrl).host } });
  return String(answer.headers['set-cookie']);
}

test('behind https the cookie is secure', async () => {
  expect(await cookieAt('https://weather.example.org')).toMatch(
    /^rainbell_session_https=[A-Za-z0-9]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('on loopback it is not, since browsers would drop it, and its name says the port', async () => {
  expect(await cookieAt('http://127.0.0.1:8420')).toMatch(
    /^rainbell_session_8420=[A-Za-z0-9]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
  );
});

test('an invented session id signs nobody in, and a session ends after its two weeks', async () => {
  const { db, clock, oauth } = await startOAuthService();
  const account = await oauth.accounts.create({
    username: 'dora',
    email: 'd@example.org',
    password: 'a long password',
  });
  const sessions = createSessions({ db, clock });
  expect(await sessions.find('x'.repeat(43))).toBeUndefined();
  const id = await sessions.begin(account.id, undefined);
  expect((await sessions.find(id))?.username).toBe('dora');
  clock.advance(14 * 86_400);
  expect(await sessions.find(id)).toBeUndefined();
});
