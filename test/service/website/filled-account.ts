// An account that has something of everything the service can hold.
import type { Account } from '#service/accounts/account-store.ts';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { createWebhookSecrets } from '#service/monitors/delivery/signing.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { newSecret } from '#service/secrets/random-text.ts';
import { probe } from '#test/service/oauth/oauth-service.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import type { WebsiteService } from './website-service.ts';
import { insertEvent } from '#test/service/monitors/delivery/event-rows.ts';

export async function fillAccount({ db, clock, oauth, folder, baseUrl, sandbox }: WebsiteService, account: Account) {
  const application = await registerApplication({ oauth }, { plan: 'drizzle', account });
  const store = createMonitorStore({ db, clock, cellOf: () => 'cell' });
  const callback_uri = 'https://example.org/rain';
  const geo = { lat: 45.07, lng: 7.69 };
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const row = await store.create(application.id, { monitor_type: 'precipitation', callback_uri, geo }, 10);
    if (row) ids.push(row.id);
  }
  const monitor_id = ids[0] ?? '';
  await insertEvent(db, 'evt_1', clock.now(), {
    monitor_id,
    application_id: application.id,
    callback_uri,
    attempts: 1,
    due_at: clock.now() + 60_000,
  });
  const outcome = {
    monitor_id,
    application_id: application.id,
    occurred_at: clock.now(),
    region: 'Italy',
    evidence_kind: 'station',
    evidence_source: 'metar:LIMF',
    evidence_at: Date.parse('2026-11-21T06:50Z'),
    evidence_km: 14.9,
    is_onset: 1,
  } as const;
  const confirmed = { verdict: 'confirmed', source: 'open-meteo', evidence_text: '-RA', lead_ms: 720_000 } as const;
  await db
    .insertInto('outcomes')
    .values([
      { ...outcome, id: 'evt_1', ...confirmed },
      { ...outcome, id: 'miss_1', verdict: 'missed', source: '', evidence_text: 'RA' },
    ])
    .execute();
  const attempt = { event_id: 'evt_1', attempt: 1, kind: 'first' } as const;
  await db
    .insertInto('attempts')
    .values({ ...attempt, started_at: clock.now(), latency_ms: 12, http_status: 500, error: 'status', answer: '' })
    .execute();
  const secrets = createWebhookSecrets({
    db,
    clock,
    seal: createSecretSeal({ folder, secretKey: undefined, databaseUrl: undefined }),
  });
  const webhookSecret = await secrets.rotate(application.id);
  await db.insertInto('usage').values({ application_id: application.id, day: 20_000, requests: 7 }).execute();
  const report = {
    id: 'met_1',
    application_id: sandbox.applicationId,
    account_id: account.id,
    status: 'rainy',
  } as const;
  await db
    .insertInto('metags')
    .values({ ...report, latitude: 45, longitude: 7, created_at: clock.now() })
    .execute();
  const { applicationId } = sandbox;
  const grant = await oauth.tokens.createGrant({ applicationId, accountId: account.id, kind: 'password', scope: [] });
  const token = await oauth.tokens.issueAccessToken(grant, []);
  const refreshToken = await oauth.tokens.issueRefreshToken(grant);
  const own = { applicationId: application.id, accountId: null, kind: 'client_credentials', scope: [] } as const;
  const ownToken = await oauth.tokens.issueAccessToken(await oauth.tokens.createGrant(own), []);
  const session = newSecret();
  await oauth.sessions.begin(account.id, session);
  await db
    .insertInto('mails')
    .values({
      id: 'mail_1',
      recipient: account.email,
      reply_to: null,
      subject: 'Usage',
      body: 'x',
      created_at: clock.now(),
      state: 'sent',
      attempts: 1,
      next_attempt_at: null,
      link: null,
    })
    .execute();
  /** The worst answer to the tokens of the account and of its application. */
  const worst = async () => {
    const statuses = (await Promise.all([token, ownToken].map((one) => probe({ baseUrl }, one)))).map(
      ({ status }) => status,
    );
    return statuses.every((status) => status === statuses[0]) ? statuses[0] : statuses;
  };
  const { id, clientId, clientSecret } = application;
  return {
    applicationId: id,
    clientId,
    loggedMonitor: monitor_id,
    secrets: [clientSecret, token, refreshToken, ownToken, session, webhookSecret],
    probe: worst,
  };
}
