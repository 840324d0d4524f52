// The grace period of a client secret: the old one works for a chosen time, visibly, and can be revoked at once.
import { expect, test } from 'vitest';
import { basic, postToken } from '../oauth/oauth-service.ts';
import {
  applicationPath,
  createApplication,
  createVisitor,
  credential,
  feedbackOf,
  register,
  startWebsite,
} from './website-service.ts';

test('an old client secret works for the chosen time, unless its owner revokes it', async () => {
  const service = await startWebsite();
  const { clock, baseUrl, db } = service;
  const visitor = createVisitor(baseUrl);
  await register(visitor);
  const created = await createApplication(visitor);
  const path = applicationPath(created);
  const clientId = credential(created, 'client_id');
  const first = credential(created, 'client_secret');
  const sendRequest = (secret: string, form = { grant_type: 'client_credentials' }) =>
    postToken(service, form, { authorization: basic(clientId, secret) });
  const statuses = async (...secrets: string[]) =>
    Promise.all(secrets.map(async (secret) => (await sendRequest(secret)).status));
  const isActive = async (token: string, secret: string) => {
    const authorization = basic(clientId, secret);
    const response = await fetch(`${baseUrl}/token/introspect/`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${token}`,
    });
    return response.status === 200 ? ((await response.json()) as { active: boolean }).active : response.status;
  };
  const renew = async (grace: string) => {
    const page = await visitor.send(path, { grace }, `${path}secret/`);
    return { page, secret: credential(page, 'client_secret') };
  };
  const { answer } = await sendRequest(first);
  const token = String(answer['access_token']);

  const { page, secret: second } = await renew('24');
  expect(page.text).toContain('The old secret will work for another 24 hours.');
  expect(await statuses(first, second, 'wrong')).toEqual([200, 200, 401]);
  // Tokens go on, and the old secret counts wherever a client authenticates.
  expect(await isActive(token, first)).toBe(true);
  const shown = (await visitor.get(path)).text;
  expect(shown).toContain('The old client secret works until');
  expect(shown).not.toContain(second);
  const stored = JSON.stringify(await db.selectFrom('applications').selectAll().execute());
  expect([first, second].some((secret) => stored.includes(secret))).toBe(false);

  clock.advance(24 * 3600 - 1);
  expect(await statuses(first, second)).toEqual([200, 200]);
  clock.advance(1);
  expect(await statuses(first, second)).toEqual([401, 200]);
  expect((await visitor.get(path)).text).not.toContain('The old client secret works until');

  const { secret: third } = await renew('168');
  expect(await statuses(first, second, third)).toEqual([401, 200, 200]);
  const ended = await visitor.send(path, {}, `${path}old-secret/`);
  expect(feedbackOf(ended)).toEqual(['old_secret_ended']);
  expect(await statuses(second, third)).toEqual([401, 200]);

  // A third within the grace period revokes the first; “Immediately” revokes all, and the tokens.
  const { secret: fourth } = await renew('24');
  const { secret: fifth } = await renew('24');
  expect(await statuses(third, fourth, fifth)).toEqual([401, 200, 200]);
  const last = String((await sendRequest(fifth)).answer['access_token']);
  const { secret: sixth } = await renew('0');
  expect(await statuses(fourth, fifth, sixth)).toEqual([401, 401, 200]);
  expect(await isActive(last, sixth)).toBe(false);
  expect(feedbackOf((await renew('999')).page)).toEqual(['form_corrupted']);
});
