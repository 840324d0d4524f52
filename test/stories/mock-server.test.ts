// The app against oauth2-mock-server, whose access tokens are JWTs.
import { OAuth2Server } from 'oauth2-mock-server';
import { expect, onTestFinished, test } from 'vitest';
import { fieldsFor, startAccess, useOwn } from '#test/core/session/access-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';

test('a JWT of oauth2-mock-server is used as the application token, and its claims are shown', async () => {
  const server = new OAuth2Server(undefined, undefined, { endpoints: { token: '/token/' } });
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  onTestFinished(() => server.stop());
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const sandbox = await startFakeService();
  const app = await startAccess({ sandbox: sandbox.introduction });
  const fields = { baseUrl, authUrl: '', redirectUri: '', clientId: 'any' };
  await useOwn(app, fieldsFor(sandbox.introduction, fields), 'any secret');
  const { application: card } = await app.client.session.refresh({ owner: 'application' });
  expect(card).toMatchObject({ state: 'valid', grant: 'client_credentials' });
  const { jwt } = await app.client.session.reveal({ owner: 'application', what: 'access_token' });
  expect(jwt?.claims).toContain(`"iss": "${server.issuer.url}"`);
});
