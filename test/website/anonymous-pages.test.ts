// Opening a page without an account writes nothing, so a flood of visitors never waits for the disk.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAgent } from '../oauth/dialog-browser.ts';
import { startWebsite } from './website-service.ts';

const paths = [
  '/',
  '/documentation/',
  '/plans/',
  '/terms/',
  '/contact/',
  '/thanks/',
  '/launch/',
  '/register/',
  '/sign-in/',
  '/v2/openapi.json',
  '/.well-known/oauth-authorization-server',
];

test('every page that needs no account opens while the database refuses writes', async () => {
  const service = await startWebsite();
  const { clientId, redirectUri } = service.sandbox;
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'post_metag' };
  await sql`PRAGMA query_only = ON`.execute(service.db);
  const agent = createAgent(service.baseUrl);
  const statuses: [string, number][] = [];
  for (const path of [...paths, `/oauth/authorize/?${new URLSearchParams(query)}`]) {
    statuses.push([path, (await createAgent(service.baseUrl).get(path)).status]);
    // Once more with the cookie of an earlier page.
    statuses.push([path, (await agent.get(path)).status]);
  }
  await sql`PRAGMA query_only = OFF`.execute(service.db);
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
});
