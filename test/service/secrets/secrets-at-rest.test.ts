// No token, code, secret, password or session id is found in clear in the database's bytes, the logs or the outbox, after
// everything that handles one was done once.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authorize, createAgent } from '#test/service/oauth/dialog-browser.ts';
import { basic, postToken } from '#test/service/oauth/oauth-service.ts';
import {
  ann,
  applicationPath,
  createApplication,
  createVisitor,
  credential,
  register,
  startWebsite,
  type WebsiteService,
} from '#test/service/website/website-service.ts';

async function bytesAtRest({ folder, lines }: WebsiteService): Promise<string> {
  // The key file is what the sandbox's credentials follow from; it is there to be secret, and holds none of them.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')));
  return [...contents, ...lines].join('\n');
}

test('nothing secret is written down in clear', async () => {
  const service = await startWebsite();
  const { sandbox } = service;
  const secrets: Record<string, string> = {
    'sandbox secret': sandbox.clientSecret,
    'sandbox password': sandbox.password,
    'account password': ann.password,
  };

  const visitor = createVisitor(service.baseUrl);
  await register(visitor);
  const created = await createApplication(visitor, { plan: 'storm', redirect_uris: 'https://app.example.org/cb' });
  secrets['client secret'] = credential(created, 'client_secret');
  const renewed = await visitor.send(applicationPath(created), {}, `${applicationPath(created)}secret/`);
  secrets['renewed client secret'] = credential(renewed, 'client_secret');
  await visitor.send(
    '/account/password/',
    { current_password: ann.password, new_password: 'the next password of ann' },
    '/account/password/',
  );
  secrets['next password'] = 'the next password of ann';
  await visitor.send('/sign-in/', { username: 'ann', password: 'a wrong guess at it' });
  secrets['a guess'] = 'a wrong guess at it';
  await visitor.send('/contact/', { email: 'ann@example.org', message: 'hello' });
  await visitor.send('/usage/', {});

  const agent = createAgent(service.baseUrl);
  const asked = { client_id: sandbox.clientId, redirect_uri: sandbox.redirectUri, scope: 'post_metag' };
  const coded = await authorize(agent, { ...asked, response_type: 'code' }, sandbox);
  secrets['code'] = new URL(coded.location ?? '').searchParams.get('code') ?? '';
  const implicit = await authorize(createAgent(service.baseUrl), { ...asked, response_type: 'token' }, sandbox);
  secrets['implicit token'] =
    new URLSearchParams(new URL(implicit.location ?? '').hash.slice(1)).get('access_token') ?? '';
  secrets['session id'] =
    /=([^;]+)/.exec(implicit.headers.getSetCookie()[0] ?? coded.headers.getSetCookie()[0] ?? '')?.[1] ??
    'no cookie set again';

  const authorization = basic(sandbox.clientId, sandbox.clientSecret);
  const forms = {
    code: { grant_type: 'authorization_code', code: secrets['code'], redirect_uri: sandbox.redirectUri },
    credentials: { grant_type: 'client_credentials' },
    password: { grant_type: 'password', username: sandbox.username, password: sandbox.password },
  };
  for (const [name, form] of Object.entries(forms)) {
    const { status, answer } = await postToken(service, form, { authorization });
    expect(status).toBe(200);
    secrets[`${name} access token`] = String(answer['access_token']);
    secrets[`${name} refresh token`] = String(answer['refresh_token']);
    await fetch(`${service.baseUrl}/v2/probe`, {
      headers: { authorization: `Bearer ${String(answer['access_token'])}` },
    });
  }
  await postToken(
    service,
    { grant_type: 'client_credentials' },
    { authorization: basic(sandbox.clientId, 'guessed-secret') },
  );
  secrets['a guessed secret'] = 'guessed-secret';

  const bytes = await bytesAtRest(service);
  expect(bytes).toContain(sandbox.clientId);
  const found = Object.entries(secrets).filter(([, secret]) => bytes.includes(secret));
  expect(found.map(([name]) => name)).toEqual([]);
  expect(Object.entries(secrets).filter(([, secret]) => secret.length < 11)).toEqual([]);
});
