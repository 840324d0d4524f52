// How much one account may have, and plans that wait for the operator.
import { describe, expect, test } from 'vitest';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import {
  applicationPath,
  createApplication,
  createVisitor,
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
  test('has at most the number of applications in the settings', async () => {
    const { visitor } = await startForAnn({ accountApplications: 2 });
    for (let count = 0; count < 2; count += 1) {
      expect(feedbackOf(await createApplication(visitor))).toEqual(['app_created']);
    }
    const form = await visitor.get('/applications/new/');
    expect(form.text).toContain('This account has reached its application limit (2).');
    const csrf = /name="csrf" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
    const typed = { csrf, name: 'Third', description: 'x', plan: 'drizzle', terms: 'yes' };
    const refused = await visitor.submitOnly(form, '/applications/new/', typed);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Delete an application');
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
