// What a signed-in developer must not reach, and what no one may be led to.
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  ann,
  applicationPath,
  bob,
  createApplication,
  createVisitor,
  feedbackOf,
  register,
  startForAnn,
  startWebsite,
  textOf,
} from './website-service.ts';
import { probe } from '#test/service/oauth/oauth-service.ts';
import { createAgent } from '#test/service/oauth/dialog-browser.ts';
import { insertEvent } from '#test/service/monitors/delivery/event-rows.ts';

test("another account's application and events cannot be seen, edited, renewed or deleted", async () => {
  const { baseUrl, db, visitor } = await startForAnn();
  const stranger = createVisitor(baseUrl);
  await register(stranger, bob);
  const path = applicationPath(await createApplication(visitor));
  const own = applicationPath(await createApplication(stranger));
  for (const page of ['', 'monitors/', 'monitors/edit/', 'events/', 'events.csv', 'webhook/']) {
    expect((await stranger.get(`${path}${page}`)).status).toBe(404);
  }
  const form = await stranger.get(own);
  for (const action of [
    'secret/',
    'webhook/',
    'delete/',
    'monitors/resume/',
    'events/resend/',
    'monitors/edit/',
    'monitors/test/',
    'monitors/delete/',
    '',
  ]) {
    const values = { confirm: 'Umbrella', name: 'x', description: 'x' };
    const answer = await stranger.submitOnly(form, `${path}${action}`, values);
    expect([action, answer.status]).toEqual([action, 404]);
  }
  await insertEvent(db, 'evt_1', 1, { application_id: path.split('/')[2] ?? '' });
  expect((await visitor.get(`${path}events/?event=evt_1`)).text).toContain('evt_1');
  expect((await stranger.get(`${own}events/?event=evt_1`)).status).toBe(404);
});

test('an application is deleted only by typing its name, and its tokens end with it', async () => {
  const { db, visitor } = await startForAnn();
  const path = applicationPath(await createApplication(visitor));
  expect((await visitor.send(path, { confirm: 'umbrella' }, `${path}delete/`)).status).toBe(400);
  const page = await visitor.send(path, { confirm: 'Umbrella' }, `${path}delete/`);
  expect(feedbackOf(page)).toEqual(['app_deleted']);
  expect((await visitor.get(path)).status).toBe(404);
  expect(await db.selectFrom('applications').select('id').where('is_sandbox', '=', 0).execute()).toEqual([]);
});

test('a page of one account asks others to sign in, and leads back to it', async () => {
  const { baseUrl } = await startForAnn();
  const agent = createAgent(baseUrl);
  const asked = await agent.get('/usage/');
  expect(asked.location).toBe('/sign-in/?to=%2Fusage%2F');
  const form = await agent.get(asked.location ?? '');
  const signedIn = await agent.submit(form, '/sign-in/', ann);
  expect(signedIn.location).toBe('/usage/');
});

test('signing in never leads to another site', async () => {
  const { baseUrl } = await startForAnn();
  for (const to of ['https://evil.test/', '//evil.test/', '/\\evil.test/', '/\t/evil.test', 'javascript:alert(1)']) {
    const agent = createAgent(baseUrl);
    const form = await agent.get(`/sign-in/?to=${encodeURIComponent(to)}`);
    const { location } = await agent.submit(form, '/sign-in/', { ...ann, to });
    expect([to, location]).toEqual([to, '/applications/']);
  }
});

test('an unknown user and a wrong password get the same page, and guessing ends in 429', async () => {
  // Windows are of the machine's time.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { baseUrl } = await startForAnn();
  const visitor = createVisitor(baseUrl);
  const withoutToken = (text: string) => text.replaceAll(/value="[^"]*"/g, '');
  const wrong = await visitor.send('/sign-in/', { username: 'ann', password: 'no' });
  const unknown = await visitor.send('/sign-in/', { username: 'nobody', password: 'no' });
  expect(withoutToken(unknown.text)).toBe(withoutToken(wrong.text));
  for (let count = 0; count < 39; count += 1)
    await visitor.submitOnly(wrong, '/sign-in/', { username: 'ann', password: 'no' });
  const limited = await visitor.send('/sign-in/', { username: 'ann', password: 'no' });
  expect(limited.status).toBe(429);
  expect(limited.headers.get('retry-after')).toBe('300');
});

test('an address that creates accounts by the hundred gets an error with a wait', async () => {
  // Windows are of the machine's time.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { baseUrl } = await startWebsite();
  const form = await createVisitor(baseUrl).get('/register/');
  const create = (count: number) => {
    const account = { ...ann, username: `ann-${count}`, email: `ann-${count}@example.org` };
    return createVisitor(baseUrl).submitOnly(form, '/register/', account);
  };
  for (let count = 0; count < 100; count += 1) expect((await create(count)).status).toBe(303);
  const refused = await create(100);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600']);
  expect(refused.text).toContain('Too many account registrations from your IP address; try again in 600 s.');
});

test('an account has at most the number of applications in the settings, also after many simultaneous forms', async () => {
  const { db, visitor } = await startForAnn({ accountApplications: 2 });
  const open = await visitor.get('/applications/new/');
  const values = { ...textOf, plan: 'drizzle', kind: 'confidential', terms: 'yes' };
  await Promise.all(Array.from({ length: 12 }, () => visitor.submitOnly(open, '/applications/new/', values)));
  const own = db.selectFrom('applications').select('id').where('is_sandbox', '=', 0);
  expect(await own.execute()).toHaveLength(2);
  const refused = await visitor.submitOnly(open, '/applications/new/', values);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('This account has reached its application limit. Delete an application');
});

test('the sandbox keeps its secret and its password, so that they can be shown at every start', async () => {
  const service = await startWebsite();
  const { username, password, applicationId } = service.sandbox;
  const visitor = createVisitor(service.baseUrl);
  await visitor.send('/sign-in/', { username, password });
  const change = { current_password: password, new_password: 'something else' };
  expect((await visitor.send('/account/password/', change)).status).toBe(409);
  const path = `/applications/${applicationId}/`;
  const page = await visitor.get(path);
  expect((await visitor.submitOnly(page, `${path}secret/`, {})).status).toBe(409);
  expect((await visitor.submitOnly(page, `${path}delete/`, { confirm: 'Rainbell sandbox' })).status).toBe(409);
});

test('a permission that was given in the dialog is withdrawn on the account page', async () => {
  const service = await startForAnn();
  const { visitor } = service;
  const { tokens, accounts } = service.oauth;
  const account = await accounts.findNamed('ann');
  const kind = 'authorization_code';
  const applicationId = service.sandbox.applicationId;
  const grant = await tokens.createGrant({ applicationId, accountId: account?.id ?? '', kind, scope: ['post_metag'] });
  const token = await tokens.issueAccessToken(grant, ['post_metag']);
  expect((await probe(service, token)).status).toBe(200);
  const page = await visitor.send('/account/', {}, `/account/permissions/${applicationId}/withdraw/`);
  expect(feedbackOf(page)).toEqual(['permission_withdrawn']);
  expect((await probe(service, token)).status).toBe(401);
});

test('a user with a wrong link gets a page, a program gets the API’s response', async () => {
  const { baseUrl } = await startWebsite();
  const page = await fetch(`${baseUrl}/nothing/here`, { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  for (const [path, accept] of [
    ['/nothing', '*/*'],
    ['/v2/nothing', 'text/html'],
  ] as const) {
    const answer = await fetch(baseUrl + path, { headers: { accept } });
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([404, 'not_found']);
  }
});
