// Migrations apart from the start: `service migrate` as a role that may change tables, and the service as one that may not.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { fetchAccessToken, runServiceProcess, startServiceProcess } from '#test/stories/service-process.ts';
import { startCallbackEndpoint } from '../callback-endpoint.ts';
import { newPostgres } from '../engines.ts';
import { apiCaller, turin } from '../monitor-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const apart = { RAINBELL_MIGRATIONS: 'apart' };

/** A database without tables, its owner, and the role of operations.md that may use tables but not change them. */
async function emptyDatabase() {
  const ownerUrl = await newPostgres();
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  const database = new URL(ownerUrl).pathname.slice(1);
  const role = `runtime_${database}`;
  await owner.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  onTestFinished(async () => {
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await owner.end();
  });
  const page = await readFile(fileURLToPath(new URL('../../../docs/operations.md', import.meta.url)), 'utf8');
  const [, statements = ''] = /```sql\n(CREATE ROLE rainbell_runtime[\s\S]*?)```/.exec(page) ?? [];
  expect(statements).not.toBe('');
  const named = statements
    .replaceAll('rainbell_runtime', role)
    .replaceAll('rainbell_owner', 'postgres')
    .replaceAll('DATABASE rainbell', `DATABASE ${database}`);
  await owner.query(named);
  const runtimeUrl = new URL(ownerUrl);
  runtimeUrl.username = role;
  runtimeUrl.password = 'choose-a-password';
  return { ownerUrl, runtimeUrl: runtimeUrl.href, owner };
}

it('a service whose role may not change tables does everything after "service migrate"', async () => {
  const { ownerUrl, runtimeUrl, owner } = await emptyDatabase();
  const flags = ['--data', temporaryFolder(), '--provider', 'simulation'];
  const early = await runServiceProcess([...flags, '--database', runtimeUrl], apart);
  expect(early).toMatchObject({
    code: 1,
    complaints: expect.stringContaining('Run "npm run service -- migrate"') as string,
  });
  expect(early.complaints).not.toContain('choose-a-password');

  const migrated = await runServiceProcess(['migrate', ...flags, '--database', ownerUrl], apart);
  expect(migrated).toMatchObject({
    code: 0,
    complaints: expect.stringContaining('The database is up to date.') as string,
  });

  const service = await startServiceProcess([...flags, '--database', runtimeUrl], apart);
  onTestFinished(async () => void (await service.stop()));
  const call = apiCaller(service.introduction.baseUrl, await fetchAccessToken(service.introduction));
  const endpoint = await startCallbackEndpoint();
  const monitor = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: turin };
  const created = await call('POST', '/v2/monitors/', monitor);
  expect(created.status).toBe(201);
  await call('POST', '/sandbox/scenarios', { center: turin, minutes: 60 });
  await endpoint.waitFor(1);
  const { id } = created.json as { id: string };
  expect((await call('DELETE', `/v2/monitors/${id}/`)).status).toBe(204);

  const runtime = new Client({ connectionString: runtimeUrl });
  await runtime.connect();
  onTestFinished(() => runtime.end());
  for (const statement of [
    'CREATE TABLE more (id int)',
    'DROP TABLE monitors',
    'ALTER TABLE events ADD COLUMN more int',
  ]) {
    await expect(runtime.query(statement)).rejects.toThrow(/permission denied|must be owner/);
  }
  expect(await service.stop()).toBe(0);
  expect(service.complaints()).not.toContain('permission denied');
  expect(service.complaints()).not.toContain('"level":50');

  // A newer version has added something: this one may start again beside it, but not beside anything else.
  await owner.query(`INSERT INTO kysely_migration VALUES ('9998-later-expand', '')`);
  const again = await startServiceProcess([...flags, '--database', runtimeUrl], apart);
  expect(await again.stop()).toBe(0);
  expect(again.complaints()).toContain('9998-later-expand');
  await owner.query(`INSERT INTO kysely_migration VALUES ('9999-later', '')`);
  const refused = await runServiceProcess([...flags, '--database', runtimeUrl], apart);
  expect(refused).toMatchObject({
    code: 1,
    complaints: expect.stringMatching(/written by another version of Rainbell .* --data or --database\./) as string,
  });
});
