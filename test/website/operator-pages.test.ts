// The status page: who sees it, and that it shows no secret.
import { expect, it } from 'vitest';
import { createApplication, createVisitor, credential, register, startWebsite } from './website-service.ts';

const boss = { username: 'boss', email: 'boss@example.org', password: 'the boss is here' };

it('shows operators the state of queue and providers, and no one else that it exists', async () => {
  const service = await startWebsite();
  const visitor = createVisitor(service.baseUrl);
  await register(visitor);
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
