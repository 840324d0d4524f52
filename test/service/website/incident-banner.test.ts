// The banner of an account whose callbacks fail, and the choice to get no emails about it.
import { expect, test } from 'vitest';
import {
  applicationPath,
  bob,
  createApplication,
  createVisitor,
  feedbackOf,
  register,
  startForAnn,
} from './website-service.ts';
import { newMonitorRow } from '#test/service/monitor-rows.ts';

test('each page of an account says that its callbacks fail, until they work', async () => {
  const { baseUrl, db, clock, oauth, visitor } = await startForAnn();
  const path = applicationPath(await createApplication(visitor, { name: 'Umbrella <b>' }));
  const id = path.split('/')[2] ?? '';
  const stranger = createVisitor(baseUrl);
  await register(stranger, bob);
  const trouble = { failed_events: 3, off_since: null as number | null, off_reason: null as string | null };
  await db
    .insertInto('monitors')
    .values(
      newMonitorRow({
        id: 'precipitation_1',
        application_id: id,
        callback_uri: 'https://example.org/?token=callback-secret',
        created_at: clock.now(),
        ...trouble,
      }),
    )
    .execute();
  const banner = async () => /data-incident="(\w+)"/.exec((await visitor.get('/usage/')).text)?.[1];
  expect(await banner()).toBeUndefined();
  await db
    .insertInto('endpoint_incidents')
    .values({ application_id: id, began_at: clock.now(), told: 'nothing', told_at: 0 })
    .execute();
  expect(await banner()).toBe('failing');
  for (const page of ['/applications/', path, '/account/', '/documentation/']) {
    const { text } = await visitor.get(page);
    expect(text).toContain(
      'Callbacks for 1 monitor in Umbrella &lt;b&gt; have been failing since 21 Nov 2026, 06:00:00 UTC.',
    );
    expect(text).toContain(`href="${path}monitors/"`);
    expect(text.split('data-incident')).toHaveLength(2);
  }
  expect((await stranger.get('/usage/')).text).not.toContain('data-incident');
  await db.updateTable('monitors').set({ off_since: clock.now(), off_reason: '24 events in a row failed' }).execute();
  expect(await banner()).toBe('off');
  await db.updateTable('monitors').set({ off_since: null, off_reason: null, failed_events: 0 }).execute();
  expect(await banner()).toBeUndefined();

  const mails = async () => (await oauth.accounts.findNamed('ann'))?.endpoint_mails;
  expect(await mails()).toBe(1);
  const page = await visitor.get('/account/');
  expect((await visitor.submitOnly(page, '/account/notifications/', {})).status).toBe(303);
  expect(await mails()).toBe(0);
  const saved = await visitor.send('/account/', { endpoint_mails: 'yes' }, '/account/notifications/');
  expect(feedbackOf(saved)).toEqual(['notifications_saved']);
  expect(await mails()).toBe(1);
});
