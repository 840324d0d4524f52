// The status page: who sees it, and that it shows no secret.
import { expect, it } from 'vitest';
import { insertEvent } from '#test/service/monitors/delivery/event-rows.ts';
import { createApplication, createVisitor, credential, startForAnn } from './website-service.ts';

const boss = { username: 'boss', email: 'boss@example.org', password: 'the boss is here' };

it('shows operators the state of queue and providers, and no one else that it exists', async () => {
  const service = await startForAnn();
  const { visitor } = service;
  const created = await createApplication(visitor);
  const chief = createVisitor(service.baseUrl);
  await service.oauth.accounts.create({ ...boss, isOperator: true });
  await chief.send('/sign-in/', boss);
  const incident = { began_at: service.clock.now(), told: 'failing', told_at: 0 } as const;
  const { id } = await service.db
    .selectFrom('applications')
    .select('id')
    .where('is_sandbox', '=', 0)
    .executeTakeFirstOrThrow();
  await service.db
    .insertInto('endpoint_incidents')
    .values({ application_id: id, ...incident })
    .execute();
  expect((await visitor.get('/operator/')).status).toBe(404);
  const { status, text } = await chief.get('/operator/');
  expect(status).toBe(200);
  expect(text).toContain('open-meteo: it returned 429');
  const words = text.replaceAll(/<[^>]*>|\s+/g, ' ');
  expect(words).toContain('60 places: checked every 20 minutes');
  expect(words).toMatch(/open-meteo\s+today \(UTC\)\s+1,234/);
  expect(words).toMatch(/Umbrella\s+\S+\s+ann/);
  const stored = await service.db.selectFrom('applications').select('secret_hash').execute();
  const passwords = await service.db.selectFrom('accounts').select('password_hash').execute();
  const secrets = [
    credential(created, 'client_secret'),
    service.sandbox.clientSecret,
    ...stored.flatMap((row) => row.secret_hash ?? []),
    ...passwords.map((row) => row.password_hash),
  ];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

it('shows operators the events of any monitor by its ID without what may be secret, and logs each look', async () => {
  const { baseUrl, db, clock, oauth, lines, visitor } = await startForAnn();
  const chief = createVisitor(baseUrl);
  await oauth.accounts.create({ ...boss, isOperator: true });
  await chief.send('/sign-in/', boss);
  await insertEvent(db, 'evt_1', clock.now(), {
    monitor_id: 'precipitation_7',
    callback_uri: 'https://hooks.example/url-secret',
    body: '{"body":"secret"}',
    state: 'failed',
  });
  const attempt = { event_id: 'evt_1', attempt: 1, kind: 'first', started_at: clock.now(), latency_ms: 12 } as const;
  await db
    .insertInto('attempts')
    .values({ ...attempt, http_status: 401, error: 'http 401', answer: 'answer-secret' })
    .execute();
  const looks = () => lines.map((line) => JSON.parse(line)).filter(({ action }) => action === 'events list');
  expect((await chief.get('/operator/')).text).toContain('href="/operator/events/"');
  expect((await chief.get('/operator/events/')).text).toContain('name="monitor"');
  for (const path of ['/operator/events/?monitor=precipitation_7', '/operator/events/?event=evt_1'])
    expect((await visitor.get(path)).status).toBe(404);
  expect(looks()).toEqual([]);
  const list = await chief.get('/operator/events/?monitor=precipitation_7&state=failed');
  const event = await chief.get('/operator/events/?event=evt_1');
  for (const { text, status } of [list, event]) {
    expect(status).toBe(200);
    expect(text).toContain('401 Unauthorized');
    expect(text).not.toMatch(/secret"|-secret|events\.csv|resend/);
  }
  expect(list.text).toContain('href="/operator/events/?event=evt_1"');
  expect((await chief.get('/operator/events/?monitor=precipitation_8')).text).toContain('No events');
  const look = { actor: 'boss', action: 'events list', msg: 'operator command' };
  expect(looks()).toMatchObject([
    { ...look, target: 'precipitation_7' },
    { ...look, target: 'precipitation_7', event: 'evt_1' },
    { ...look, target: 'precipitation_8' },
  ]);
});
