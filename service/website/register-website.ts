// All pages of the service: the developer website (docs/interface.md §5.2, §7.3) and the authorization pages (§4.1), rendered on
// the server with the same accounts, applications, and tokens as the API. One per service.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '@rainbell/shared';
import { type Config, isRegistrationOpen } from '../config/config.ts';
import { createContractStore } from '../accounts/contract-store.ts';
import type { Fleet } from '../limits/limiter.ts';
import type { Tables } from '../database/tables.ts';
import type { DocumentedOperation } from '../http/operation.ts';
import type { Admission } from '../limits/admission.ts';
import type { DeliveryLog } from '../monitors/delivery/delivery-log.ts';
import type { EventRecords } from '../monitors/delivery/event-record.ts';
import type { Places } from '../places/create-places.ts';
import type { OutcomeLog } from '../verification/outcome-log.ts';
import type { WebhookSecrets } from '../monitors/delivery/signing.ts';
import type { Links } from '../mail/links.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { OAuth } from '../oauth/create-oauth.ts';
import type { SendToApi } from '../oauth/call-api.ts';
import { createSetup } from '../setup/set-up.ts';
import type { SetupCode } from '../setup/setup-code.ts';
import { registerDialogRoutes } from './dialog/dialog-routes.ts';
import { createPendingRequests } from '../oauth/pending-request.ts';
import { registerAssets } from './layout/assets.ts';
import { incidentsOf } from '../monitors/incidents.ts';
import { incidentBanner, shownIncidents } from './layout/incident-banner.ts';
import { createPageRoutes } from './layout/page-routes.ts';
import { registerAccountPages } from './pages/account-pages.ts';
import { registerApplicationPages } from './pages/application-pages.ts';
import { registerDocumentationPages } from './pages/documentation-pages.ts';
import { registerEventPages } from './pages/event-pages.ts';
import { registerLegalPages } from './pages/legal-pages.ts';
import { registerLinkPages } from './pages/link-pages.ts';
import { registerMessagePages } from './pages/message-pages.ts';
import { createMonitorNames } from './pages/monitor-names.ts';
import { registerMonitorPages } from './pages/monitor-pages.ts';
import { registerOperatorPages, type WeatherStatus } from './pages/operator-page.ts';
import { registerPlanPages } from './pages/plan-pages.ts';
import { registerPublicPages } from './pages/public-pages.ts';
import { registerSetupPages } from './pages/setup-pages.ts';
import { registerSignInPages } from './pages/sign-in-pages.ts';
import { createTakenGuard } from './pages/unconfirmed-email.ts';
import { registerWebhookPages } from './pages/webhook-pages.ts';
import { registerUsagePages } from './pages/usage-pages.ts';
import { registerMissingPage, registerSite } from './layout/site.ts';
import { createVisitors } from './layout/visitor.ts';

export type DialogDependencies = {
  clock: Clock;
  log: Logger;
  db: Kysely<Tables>;
  oauth: OAuth;
  baseUrl: string;
  /** From signing-key.ts. */
  signingKey: Buffer;
};

export type WebsiteDependencies = DialogDependencies & {
  config: Config;
  /** Describes this process to operators. */
  weatherStatus: () => Promise<WeatherStatus>;
  /** Undefined if one process counts all. */
  fleet?: Fleet;
  /** From admission.ts. */
  admission?: Admission;
  mailer: Mailer;
  links: Pick<Links, 'find'>;
  /** Calls the API's routes, for the documentation's forms. */
  api: Pick<FastifyInstance, 'inject'>;
  /** The API's operations (http/operation.ts). */
  operations: readonly DocumentedOperation[];
  deliveryLog: Pick<DeliveryLog, 'states'>;
  records: Pick<EventRecords, 'page'>;
  /** Names a place. */
  locate: Places['locate'];
  outcomeLog: OutcomeLog;
  secrets: WebhookSecrets;
  /** Of a service at home; undefined once there is an account. */
  setupCode?: SetupCode | undefined;
};

/** Registers the authorization pages and the website, with their files. */
export function registerWebsite(server: FastifyInstance, needs: WebsiteDependencies): Promise<void> {
  return registerSite(server, needs, (scope) => {
    registerDialog(scope, needs);
    registerPages(scope, needs);
  });
}

/** `scope` is one of `registerSite`. */
export function registerDialog(
  scope: FastifyInstance,
  { clock, oauth, baseUrl, signingKey }: DialogDependencies,
): void {
  const requests = createPendingRequests({ key: signingKey, clock });
  const visitors = createVisitors(oauth.sessions, baseUrl, signingKey);
  registerAssets(scope);
  registerDialogRoutes(scope, { ...oauth, requests, visitors, baseUrl, issuer: baseUrl });
}

function registerPages(scope: FastifyInstance, needs: WebsiteDependencies): void {
  const { config, clock, log, db, oauth, mailer, links, baseUrl, api, signingKey } = needs;
  const { accounts, applications, plans, sessions, tokens, usage } = oauth;
  const contracts = createContractStore({ db, clock });
  const visitors = createVisitors(sessions, baseUrl, signingKey);
  const { host } = new URL(baseUrl);
  const send: SendToApi = ({ method, path, body }, headers) =>
    api.inject({ method, url: path, headers: { host, ...headers }, ...(body !== undefined && { payload: body }) });
  const routes = createPageRoutes(scope, {
    visitors,
    applications,
    baseUrl,
    log,
    canRegister: isRegistrationOpen(config),
    bannerOf: async ({ id }) => incidentBanner(await incidentsOf(db, id, shownIncidents)),
  });
  const { fleet } = needs;
  const countTaken = createTakenGuard(fleet);
  registerPublicPages(routes, { baseUrl });
  registerLegalPages(scope, routes, config);
  registerSignInPages(routes, { ...oauth, fleet, visitors, mailer, countTaken, contracts, baseUrl });
  registerAccountPages(routes, { ...oauth, fleet, db, mailer, visitors, countTaken });
  registerLinkPages(routes, { clock, fleet, db, accounts, links, mailer });
  registerPlanPages(routes, { plans, contracts, mailer });
  registerApplicationPages(routes, { ...needs, ...oauth, contracts });
  const nameMonitors = createMonitorNames(db, needs.locate);
  registerMonitorPages(routes, { ...needs, tokens, send, nameMonitors });
  registerEventPages(routes, { ...needs, tokens, send, nameMonitors });
  registerWebhookPages(routes, needs);
  registerUsagePages(routes, { db, clock, plans, applications, usage, mailer });
  registerMessagePages(routes, { clock, fleet, db, mailer, operatorEmail: config.operatorEmail });
  registerOperatorPages(routes, { ...needs, nameMonitors });
  registerDocumentationPages(routes, { tokens, send, applications, baseUrl, operations: needs.operations });
  if (config.isHome) {
    const setup = createSetup({ oauth, contracts, send });
    registerSetupPages(routes, { accounts, visitors, fleet, secrets: needs.secrets, setup, code: needs.setupCode });
  }
  registerMissingPage(scope);
}
