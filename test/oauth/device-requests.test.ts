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
  for (let count = 0; count < 999; count += 1) await begin(many.id);
  clock.advance(1);
  await begin(many.id);
  const refusal = { code: 'rate_limited', status: 429, headers: { 'retry-after': '60' } };
  await expect(begin(many.id)).rejects.toMatchObject(refusal);
  expect(await begin(other.id)).toMatchObject({ interval: 5 });

  // The first 999 have expired, and the last one has not.
  clock.advance(deviceRequestLifetimeMs / 1000 - 1);
  for (let count = 0; count < 999; count += 1) await begin(many.id);
  await expect(begin(many.id)).rejects.toMatchObject(refusal);
});
