// How much one account may have, and plans that wait for the operator.
import { describe, expect, test } from 'vitest';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { operator } from '../oauth/operator-process.ts';
import { temporaryFolder } from '../oauth/oauth-service.ts';
import { startServiceProcess } from '../story/service-process.ts';
import { apiCaller } from '../service/monitor-service.ts';
import {
  ann,
  applicationPath,
  createApplication,
  createVisitor,
  credential,
  feedbackOf,
  register,
  startWebsite,
} from './website-service.ts';

async function startForAnn(changes: Parameters<typeof startWebsite>[0] = {}) {
  const service = await startWebsite(changes);
  const visitor = createVisitor(service.baseUrl);
  await register(visitor);
  return { ...service, visitor };
}

describe('an account', () => {
  test('has at most the number of applications in the settings, unless the operator allows it more', async () => {
    const { visitor, oauth } = await startForAnn({ accountApplications: 2 });
    for (let count = 0; count < 2; count += 1) {
      expect(feedbackOf(await createApplication(visitor))).toEqual(['app_created']);
    }
    const form = await visitor.get('/applications/new/');
    expect(form.text).toContain('This account has reached its application limit (2).');
    const csrf = /name="csrf" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
    const typed = { csrf, name: 'Third', description: 'x', plan: 'drizzle', terms: 'yes' };
    const refused = await visitor.submitOnly(form, '/applications/new/', typed);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Delete an application, or ask the operator for a higher limit.');
    const account = await oauth.accounts.findNamed('ann');
    await oauth.accounts.setLimits(account?.id ?? '', { application_limit: 3 });
    expect(feedbackOf(await createApplication(visitor))).toEqual(['app_created']);
  });

  test('has at most that number of applications after many simultaneous forms', async () => {
    const { visitor, db } = await startForAnn({ accountApplications: 3 });
    const form = await visitor.get('/applications/new/');
    const typed = { name: 'Umbrella', description: 'x', plan: 'drizzle', kind: 'confidential', terms: 'yes' };
    await Promise.all(Array.from({ length: 12 }, () => visitor.submitOnly(form, '/applications/new/', typed)));
    const own = db.selectFrom('applications').select('id').where('is_sandbox', '=', 0);
    expect(await own.execute()).toHaveLength(3);
  });

  test('has at most the number of monitors in the settings in all its applications together', async () => {
    const { visitor, db, clock, oauth, sandbox } = await startForAnn({ accountMonitors: 5 });
    const ids: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      ids.push(applicationPath(await createApplication(visitor)).split('/')[2] ?? '');
    }
    const store = createMonitorStore({ db, clock, cellOf: () => 'cell' });
    const fields = {
      monitor_type: 'precipitation' as const,
      callback_uri: 'https://example.org/rain',
      geo: { lat: 45, lng: 7 },
    };
    const add = async (applicationId: string) => {
      const { limit, account } = await oauth.monitorLimitOf(applicationId);
      return store.create(applicationId, fields, limit, account).then(
        (row) => (row ? 'created' : 'plan full'),
        (error: { kind: string }) => error.kind,
      );
    };
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, index) => add(ids[index % 2] ?? '')));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'monitor_limit')).toHaveLength(3);
    // The in-house plan is not counted.
    expect(await add(sandbox.applicationId)).toBe('created');
  });
});

test('the API refuses a monitor over the limit of the account with a stable code', async () => {
  const folder = await temporaryFolder();
  const service = await startServiceProcess(['--data', folder, '--provider', 'simulation'], {
    RAINBELL_ACCOUNT_MONITORS: '1',
  });
  const { baseUrl } = service.introduction;
  const visitor = createVisitor(baseUrl);
  await register(visitor);
  const created = await createApplication(visitor);
  const body = { grant_type: 'client_credentials' };
  const secret = `${credential(created, 'client_id')}:${credential(created, 'client_secret')}`;
  const answer = await fetch(`${baseUrl}/token/`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
    body: new URLSearchParams(body),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const call = apiCaller(baseUrl, token);
  const monitor = { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:9/', geo: { lat: 45, lng: 7 } };
  expect((await call('POST', '/v2/monitors/', monitor)).status).toBe(201);
  const refused = await call('POST', '/v2/monitors/', monitor);
  expect([refused.status, (refused.json as { error: string }).error]).toEqual([403, 'limit_reached']);
  expect((await operator(folder, 'account limits ann --monitors 2')).output).toContain('monitors 2');
  expect((await call('POST', '/v2/monitors/', monitor)).status).toBe(201);
  await service.stop();
});

describe('a plan above Drizzle', () => {
  test('is there at once unless approval is required', async () => {
    const { visitor } = await startForAnn();
    const page = await visitor.send('/contracts/new/', { plan: 'storm' });
    expect(feedbackOf(page)).toEqual(['contract_created']);
  });

  test('waits for the operator if the settings say so, who is mailed and whose decision is mailed', async () => {
    const folder = await temporaryFolder();
    const service = await startServiceProcess(['--data', folder, '--provider', 'simulation'], {
      RAINBELL_PLAN_APPROVAL: 'on',
    });
    const visitor = createVisitor(service.introduction.baseUrl);
    await register(visitor);
    expect(feedbackOf(await visitor.send('/contracts/new/', { plan: 'drizzle' }))).toEqual(['contract_created']);
    const asked = await visitor.send('/contracts/new/', { plan: 'storm' });
    expect(feedbackOf(asked)).toEqual(['contract_requested']);
    expect(asked.text).toContain('Waiting for approval');
    const early = await createApplication(visitor, { plan: 'storm' });
    expect(feedbackOf(early)).toEqual(['contract_problem']);

    const pending = async () =>
      JSON.parse((await operator(folder, '--json contract list --pending')).output) as { id: string; plan: string }[];
    const [contract] = await pending();
    expect(contract).toMatchObject({ plan: 'storm', username: 'ann' });
    await operator(folder, `contract deny ${contract?.id ?? ''}`);
    expect((await visitor.get('/plans/')).text).toContain('Not approved');
    // It may be requested again.
    expect(feedbackOf(await visitor.send('/contracts/new/', { plan: 'storm' }))).toEqual(['contract_requested']);
    const [again] = await pending();
    expect((await operator(folder, `contract approve ${again?.id ?? ''}`)).output).toContain(
      'The Storm plan for ann was approved.',
    );
    const decidedAgain = await operator(folder, `contract approve ${again?.id ?? ''}`);
    expect(decidedAgain.code).toBe(1);
    expect(decidedAgain.complaint).toContain('There is no such contract, or it is no longer pending.');
    expect(feedbackOf(await createApplication(visitor, { plan: 'storm' }))).toEqual(['app_created']);
    const mails = JSON.parse((await operator(folder, '--json outbox list')).output) as {
      to: string;
      subject: string;
    }[];
    expect(mails.map(({ to, subject }) => `${to} ${subject}`).toSorted((a, b) => a.localeCompare(b))).toEqual([
      `${ann.email} Rainbell: Storm plan approved`,
      `${ann.email} Rainbell: Storm plan not approved`,
      'operator@rainbell.invalid Rainbell: Storm plan requested',
      'operator@rainbell.invalid Rainbell: Storm plan requested',
    ]);
    await service.stop();
  });
});
