// Opening a page without an account writes nothing, so a flood of visitors never waits for the disk.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAgent } from '#test/service/oauth/dialog-browser.ts';
import { startWebsite } from './website-service.ts';

const paths = [
  '/',
  '/documentation/',
  '/plans/',
  '/terms/',
  '/privacy/',
  '/contact/',
  '/thanks/',
  '/launch/',
  '/register/',
  '/sign-in/',
  '/v2/openapi.json',
  '/.well-known/oauth-authorization-server',
];

test('every page that needs no account opens while the database refuses writes, and those for passwords run no script', async () => {
  const service = await startWebsite();
  const { clientId, redirectUri } = service.sandbox;
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'post_metag' };
  await sql`PRAGMA query_only = ON`.execute(service.db);
  const agent = createAgent(service.baseUrl);
  const statuses: [string, number][] = [];
  const dialog = `/oauth/authorize/?${new URLSearchParams(query)}`;
  for (const path of [...paths, dialog]) {
    statuses.push([path, (await createAgent(service.baseUrl).get(path)).status]);
    // Once more with the cookie of an earlier page.
    statuses.push([path, (await agent.get(path)).status]);
  }
  await sql`PRAGMA query_only = OFF`.execute(service.db);
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);

  // Where users type a password or grant access, no script may run.
  for (const path of ['/sign-in/', '/register/', '/forgot-password/', dialog]) {
    const { headers, text } = await agent.get(path);
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    expect(text).not.toContain('<script');
  }
});

test('files of the website are kept by browsers', async () => {
  const { baseUrl } = await startWebsite();
  const page = await (await fetch(baseUrl)).text();
  const stylesheet = /<link rel="stylesheet" href="([^"]+)"/.exec(page)?.[1] ?? 'none';
  for (const [path, type, keptFor] of [
    [stylesheet, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/inter.woff2', 'font/woff2', 'public, max-age=31536000, immutable'],
    ['/assets/rainbell.svg', 'image/svg+xml', 'public, max-age=86400'],
  ] as const) {
    const file = await fetch(new URL(path, baseUrl));
    const { length } = Buffer.from(await file.arrayBuffer());
    expect([path, file.status, file.headers.get('content-type')]).toEqual([path, 200, type]);
    expect([file.headers.get('cache-control'), file.headers.get('content-length')]).toEqual([keptFor, String(length)]);
  }
});
