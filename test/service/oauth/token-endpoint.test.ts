// `POST /token/` with the application's own credentials (docs/interface.md §4.2, §5.3).
import { expect, test } from 'vitest';
import { basic, postToken, startOAuthService } from './oauth-service.ts';

test('an application gets a token with its credentials, in exactly the documented form', async () => {
  const service = await startOAuthService();
  const { clientId, clientSecret } = service.sandbox;
  const authorization = basic(clientId, clientSecret);
  const { response, status, answer } = await postToken(
    service,
    { grant_type: 'client_credentials' },
    { authorization },
  );
  expect(status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json;charset=UTF-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('pragma')).toBe('no-cache');
  expect(Object.keys(answer)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token']);
  expect(answer).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
});

test.each([
  'application/www-form-urlencoded',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=UTF-8',
])('a form of type %s is understood, with and without the slash at the end', async (contentType) => {
  const { baseUrl, sandbox } = await startOAuthService();
  for (const path of ['/token/', '/token']) {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: basic(sandbox.clientId, sandbox.clientSecret), 'content-type': contentType },
      body: 'grant_type=client_credentials',
    });
    expect(response.status).toBe(200);
  }
});

test('the token opens the API until its lifetime ends, and a refresh gives a new one of the same kind', async () => {
  const service = await startOAuthService();
  const authorization = basic(service.sandbox.clientId, service.sandbox.clientSecret);
  const first = await postToken(service, { grant_type: 'client_credentials' }, { authorization });
  const probe = (token: unknown) =>
    fetch(`${service.baseUrl}/v2/probe`, { headers: { authorization: `Bearer ${String(token)}` } });
  expect((await probe(first.answer['access_token'])).status).toBe(200);
  service.clock.advance(3600);
  const late = await probe(first.answer['access_token']);
  expect(late.status).toBe(401);
  expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"');
  const refresh_token = String(first.answer['refresh_token']);
  const second = await postToken(service, { grant_type: 'refresh_token', refresh_token }, { authorization });
  expect(second.answer['refresh_token']).toBe(refresh_token);
  const answer = await probe(second.answer['access_token']);
  expect(await answer.json()).toMatchObject({
    access: { kind: 'client_credentials', scope: [], accountId: null, applicationId: service.sandbox.applicationId },
  });
});

test('a service that starts again shows the same sandbox credentials, though the database holds none of them', async () => {
  const service = await startOAuthService();
  const { ensureSandbox } = await import('#service/oauth/sandbox-application.ts');
  const { sandboxCredentials } = await import('#service/oauth/sandbox-key.ts');
  const again = await ensureSandbox({ ...service, credentials: sandboxCredentials(service.folder) });
  expect(again).toEqual(service.sandbox);
});
