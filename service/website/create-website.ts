// The developer website (§5.2, §7.3): server-rendered pages over the same accounts, applications and tokens as the OAuth
// engine. One per service.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '#contract/clock.ts';
import { createContractStore } from '../accounts/contract-store.ts';
import type { Tables } from '../database/tables.ts';
import type { DeliveryLog } from '../delivery/delivery-log.ts';
import type { WebhookSecrets } from '../delivery/webhook-secrets.ts';
import { createMailer, type Mailer } from '../mail/mailer.ts';
import { createOutbox, type Outbox } from '../mail/outbox.ts';
import type { OAuth } from '../oauth/create-oauth.ts';
import { createPageRoutes } from './page-routes.ts';
import { registerAccountPages } from './pages/account-pages.ts';
import { registerApplicationPages } from './pages/application-pages.ts';
import { registerDocumentationPages } from './pages/documentation-pages.ts';
import { registerMessagePages } from './pages/message-pages.ts';
import { registerMonitorPages } from './pages/monitor-pages.ts';
import { registerOperatorPages } from './pages/operator-pages.ts';
import { registerPlanPages } from './pages/plan-pages.ts';
import { registerPublicPages } from './pages/public-pages.ts';
import { registerSignInPages } from './pages/sign-in-pages.ts';
import { registerUsagePages } from './pages/usage-pages.ts';
import { registerMissingPage, registerSite } from './site.ts';
import { createVisitors } from './visitor.ts';

export type Website = {
  registerRoutes(server: FastifyInstance): Promise<void>;
  mailer: Mailer;
  outbox: Outbox;
  close(): Promise<void>;
};

export type WebsiteNeeds = {
  config: { smtpUrl?: string | undefined; mailFrom: string; operatorEmail: string };
  clock: Clock;
  log: Logger;
  db: Kysely<Tables>;
  oauth: OAuth;
  baseUrl: string;
  deliveryLog: Pick<DeliveryLog, 'states' | 'turnOn' | 'resend'>;
  secrets: WebhookSecrets;
  /** Deletes what watches and calls on behalf of an application. */
  removeMonitors: (applicationId: string) => Promise<void>;
};

export function createWebsite(needs: WebsiteNeeds): Website {
  const { config, clock, log, db, oauth, baseUrl } = needs;
  const { accounts, applications, plans, sessions, signInGuard, tokens, usage } = oauth;
  const outbox = createOutbox({ db, clock });
  const mailer = createMailer({ config, outbox, clock, log });
  const contracts = createContractStore({ db, clock });
  const visitors = createVisitors(sessions, baseUrl);

  function registerPages(server: FastifyInstance, scope: FastifyInstance): void {
    const routes = createPageRoutes(scope, { visitors, baseUrl, log });
    registerPublicPages(routes, { baseUrl });
    registerSignInPages(routes, { clock, accounts, signInGuard, visitors });
    registerAccountPages(routes, { db, accounts, applications, sessions, tokens, signInGuard });
    registerPlanPages(routes, { plans, contracts });
    registerApplicationPages(routes, { ...needs, plans, contracts, applications });
    registerMonitorPages(routes, { ...needs, applications });
    registerUsagePages(routes, { db, clock, plans, applications, usage, mailer });
    registerMessagePages(routes, { db, clock, mailer, operatorEmail: config.operatorEmail });
    registerOperatorPages(routes, { outbox });
    registerMissingPage(scope);
    registerDocumentationPages(routes, { server, applications, tokens, baseUrl });
  }

  return {
    mailer,
    outbox,
    registerRoutes: (server) => registerSite(server, { baseUrl, log }, (scope) => registerPages(server, scope)),
    close: () => mailer.close(),
  };
}
