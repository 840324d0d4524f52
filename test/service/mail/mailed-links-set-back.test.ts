// Mailed links and old secrets after the clock was set back: they stay valid, but no longer than new ones.
import { expect, test } from 'vitest';
import { clampExpiries } from '#service/oauth/clamp-expiries.ts';
import { openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

const hourMs = 3_600_000;
const lifetimes = { accessTokenSeconds: 3_600, codeSeconds: 60, refreshTokenSeconds: 90 * 86_400 };

test.each([
  ['confirm-email', 24],
  ['reset-password', 1],
  ['launch-notice', 24],
] as const)('a link of the kind %s is valid for at most %i h', async (purpose, hours) => {
  const { db, clock } = await openDeliveryRows();
  const add = (hash: string, expires_at: number) =>
    db.insertInto('mail_links').values({ hash, purpose, account_id: null, email: 'e', expires_at, used: 0 }).execute();
  const end = startMs + hours * hourMs;
  await add('later', end + 1);
  await add('much later', end + 1_000 * hourMs);
  await add('last', end);
  await add('sooner', end - 1);
  await clampExpiries(db, clock, lifetimes);
  const links = await db.selectFrom('mail_links').select(['hash', 'expires_at']).execute();
  expect(Object.fromEntries(links.map(({ hash, expires_at }) => [hash, expires_at]))).toEqual({
    later: end,
    'much later': end,
    last: end,
    sooner: end - 1,
  });
});
