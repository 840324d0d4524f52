// How many device sign-ins of one application may wait for their users at a time.
import { expect, test } from 'vitest';
import { createDeviceRequests, deviceRequestLifetimeMs } from '#service/oauth/device-requests.ts';
import { startOAuthService } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

test('at most a thousand devices of one application wait, until the first have expired', async () => {
  const service = await startOAuthService();
  const { db, clock, oauth } = service;
  const many = await registerApplication(service);
  const other = await registerApplication(service, { name: 'Other' });
  const requests = createDeviceRequests({ db, clock, tokens: oauth.tokens });
  // Each from its own network, so that only the application's limit applies.
  let network = 0;
  const begin = (applicationId: string) => requests.begin(applicationId, [], `2001:db8:0:${(network += 1)}::1`);
  await begin(many.id);
  // 998 more, which begin now.
  const [begun] = await db.selectFrom('device_requests').selectAll().execute();
  const repeat = async () => {
    const expires_at = clock.now() + deviceRequestLifetimeMs;
    const rows = Array.from({ length: 998 }, (_, index) => {
      const name = `${expires_at} ${index}`;
      return { ...begun!, hash: name, user_code_hash: name, expires_at };
    });
    for (let from = 0; from < rows.length; from += 100) {
      await db
        .insertInto('device_requests')
        .values(rows.slice(from, from + 100))
        .execute();
    }
  };
  await repeat();
  clock.advance(1);
  await begin(many.id);
  const refusal = { code: 'rate_limited', status: 429, headers: { 'retry-after': '60' } };
  await expect(begin(many.id)).rejects.toMatchObject(refusal);
  expect(await begin(other.id)).toMatchObject({ interval: 5 });

  // The first 999 have expired, and the last one has not.
  clock.advance(deviceRequestLifetimeMs / 1000 - 1);
  await begin(many.id);
  await repeat();
  await expect(begin(many.id)).rejects.toMatchObject(refusal);
});
