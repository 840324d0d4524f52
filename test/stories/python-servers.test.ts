// The app against Django OAuth Toolkit and FastAPI, as Debian packages them.
import { describe, expect, test } from 'vitest';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import { fieldsFor, startAccess, useOwn as connectOwn } from '#test/core/session/access-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import {
  djangoRedirectUri,
  djangoSecret,
  hasPythonServers,
  pythonAccount,
  usePythonServers,
} from './python-servers.ts';

const place = { lat: 45.0703, lng: 7.6869 };

/** The user is signed in there already, so that the first page redirects at once. */
const person = {
  async openDialog({
    authorizationUrl,
    redirectUri,
  }: {
    authorizationUrl: (redirectUri: string) => string;
    redirectUri: string;
  }) {
    const page = await fetch(authorizationUrl(redirectUri), { redirect: 'manual' });
    return { kind: 'redirected', url: page.headers.get('location') ?? '' } as const;
  },
};

async function startApp(baseUrl: string, changes: Partial<ConnectionFields>, clientSecret: string | null) {
  const sandbox = await startFakeService();
  const app = await startAccess({ sandbox: sandbox.introduction, person });
  await connectOwn(app, fieldsFor(sandbox.introduction, { ...addressesOf(baseUrl), ...changes }), clientSecret);
  return app;
}

function addressesOf(baseUrl: string) {
  return { baseUrl, authUrl: baseUrl, redirectUri: djangoRedirectUri };
}

describe.skipIf(!hasPythonServers())('at Django OAuth Toolkit', () => {
  const servers = usePythonServers();

  test.each([
    ['a public client', { clientId: 'public-code', isPublic: true }, null, 'ACCESS_REFUSED'],
    ['a client without client credentials', { clientId: 'code' }, djangoSecret, 'UNAUTHORIZED_CLIENT'],
  ])('%s reads the weather with the user token, and monitors say what they need', async (...row) => {
    const [, fields, secret, code] = row;
    const { client } = await startApp(servers.django, fields, secret);
    await expect(client.forecast.get(place)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('Sign in'),
      data: { needs: 'sign_in' },
    });
    expect(await client.session.signIn({ way: 'authorization_code' })).toMatchObject({ outcome: 'approved' });
    expect((await client.forecast.get(place)).points).toHaveLength(1);
    expect((await client.app.status()).token).toMatchObject({ state: 'valid', owner: 'user' });
    expect((await client.session.state()).tokenInUse).toBe('user');
    await expect(client.monitors.list()).rejects.toMatchObject({
      code,
      message: expect.stringContaining('Monitors require'),
      data: { needs: 'client_credentials' },
    });
  });

  test('a client with client credentials only reads weather and monitors with the application token', async () => {
    const { client } = await startApp(servers.django, { clientId: 'credentials' }, djangoSecret);
    expect((await client.forecast.get(place)).points).toHaveLength(1);
    expect((await client.monitors.list()).monitors).toEqual([]);
    expect((await client.app.status()).token).toMatchObject({ state: 'valid', owner: 'application' });
    const refused = await client.session.signIn({ way: 'password', ...pythonAccount });
    expect(refused).toMatchObject({ outcome: 'refused', error: 'unauthorized_client' });
  });

  test('a token is revoked at the URL that the user enters', async () => {
    const { client } = await startApp(servers.django, { clientId: 'password' }, djangoSecret);
    await client.session.signIn({ way: 'password', ...pythonAccount });
    const { token } = await client.session.reveal({ owner: 'user', what: 'access_token' });
    expect((await client.session.revoke({ owner: 'user' })).revoked).toBe(false);
    const endpoint = `${servers.django}/revoke/`;
    expect(await client.session.revoke({ owner: 'user', endpoint })).toMatchObject({
      revoked: true,
      session: { user: { state: 'none' } },
    });
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${servers.django}/v2/monitors/`, { headers })).status).toBe(403);
  });
});

describe.skipIf(!hasPythonServers())('at FastAPI', () => {
  const servers = usePythonServers();
  // Without sign-in pages.
  const fields = { clientId: 'any', authUrl: '', redirectUri: '' };

  test('a password sign-in falls back to the standard content type, and remembers it', async () => {
    const { client } = await startApp(servers.fastapi, fields, 'any secret');
    const { selectedId: connectionId } = await client.connections.list();
    const statuses = async () =>
      (await client.traffic.list({ kind: 'token', connectionId })).items.map(({ status }) => status).toReversed();
    // The application's own token, in both content types.
    await expect.poll(statuses).toEqual([422, 422]);
    expect(await client.session.signIn({ way: 'password', ...pythonAccount })).toMatchObject({ outcome: 'approved' });
    expect(await client.session.signIn({ way: 'password', ...pythonAccount })).toMatchObject({ outcome: 'approved' });
    expect((await statuses()).slice(2)).toEqual([422, 200, 200]);
    expect((await client.forecast.get(place)).points).toHaveLength(1);
  });

  test('its own reason is shown, also in the sign-in log, without the password', async () => {
    const { client } = await startApp(servers.fastapi, fields, 'any secret');
    const input = { way: 'password', username: 'ada', password: 'a wrong guess' } as const;
    const result = await client.session.signIn(input);
    expect(result).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('Incorrect username or password'),
      problem: { details: { httpStatus: 400, trafficId: expect.any(Number) } },
    });
    const [flow] = await client.session.flows();
    const answers = flow?.steps.filter(({ kind }) => kind === 'answer') ?? [];
    expect(answers.map(({ status }) => status)).toEqual([422, 400]);
    expect(answers[0]?.fields.join()).toContain('field required');
    expect(answers[1]?.fields).toEqual([['detail', 'Incorrect username or password']]);
    expect(answers.every(({ trafficId }) => trafficId !== null)).toBe(true);
    expect(JSON.stringify(flow)).not.toContain('a wrong guess');
  });
});
