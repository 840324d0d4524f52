// Where the limits of an application come from.
import { expect, test } from 'vitest';
import { createContractStore } from '#service/accounts/contract-store.ts';
import { startOAuthService } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

test('the limits of an application come from its plan, its account, and the settings', async () => {
  const service = await startOAuthService({ planDrizzle: [3, 0, 0], monitorLimit: 9, accountMonitors: 7 });
  const { oauth, db, clock } = service;
  const own = await registerApplication(service);
  const contract = await createContractStore({ db, clock }).create(own.accountId, 'drizzle');
  const { id: applicationId } = await oauth.applications.create({
    accountId: own.accountId,
    contractId: contract.id,
    name: 'Raincoat',
    description: 'x',
    redirectUris: [],
    isPublic: false,
    allowsPassword: false,
    requiresPkce: false,
  });
  const account = { id: own.accountId };
  expect(await oauth.monitorLimitOf(own.id)).toEqual({
    limit: 9,
    plan: 'In-house',
    account: { ...account, limit: undefined },
  });
  expect(await oauth.monitorLimitOf(applicationId)).toEqual({
    limit: 3,
    plan: 'Drizzle',
    account: { ...account, limit: 7 },
  });
  expect(oauth.applicationLimit).toBe(service.config.accountApplications);
  await expect(oauth.monitorLimitOf('deleted')).rejects.toMatchObject({
    code: 'access_denied',
    status: 403,
    message: 'This application was deleted.',
  });
});
