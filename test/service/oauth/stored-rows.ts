// The rows of an OAuth service with one application, and what is often in them.
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Tables } from '#service/database/tables.ts';
import { startOAuthService } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
export const hourMs = 3_600_000;
/** Any ID. */
export const anyId = expect.stringMatching(/^[A-Za-z0-9]{20}$/);

export async function startWithRows() {
  const service = await startOAuthService();
  const application = await registerApplication(service);
  const client = () => service.oauth.applications.findActive(application.clientId).then((found) => found!);
  const rows = <Table extends keyof Tables>(table: Table): Promise<unknown[]> =>
    service.db
      .selectFrom(table as 'grants')
      .selectAll()
      .execute();
  const userGrant = () =>
    service.oauth.tokens.createGrant({
      applicationId: application.id,
      accountId: application.accountId,
      kind: 'authorization_code',
      scope: ['post_metag'],
    });
  return { ...service, application, client, rows, userGrant, tokens: service.oauth.tokens, now: service.clock.now() };
}
