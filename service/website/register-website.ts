// All pages of the service: the developer website (docs/interface.md §5.2, §7.3) and the authorization dialog (§4.1),
// rendered on the server over the same accounts, applications and tokens as the API. One per service.
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import type { Config } from '#service/config/config.ts';
import { createContractStore } from '../accounts/contract-store.ts';
import { createCountGuard } from '#service/limits/throttle.ts';
import type { Tables } from '../database/tables.ts';
import type { DocumentedOperation } from '../http/operation.ts';
import type { Admission } from '#service/limits/admission.ts';
import type { DeliveryLog } from '../delivery/delivery-log.ts';
import type { WebhookSecrets } from '../delivery/webhook-secrets.ts';
import type { Links } from '../mail/links.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { OAuth } from '../oauth/create-oauth.ts';
import { registerDialogRoutes } from './dialog/dialog-routes.ts';
import { createPendingRequests } from '#service/oauth/pending-request.ts';
import { registerAssets } from './layout/assets.ts';
import { createPageRoutes } from './layout/page-routes.ts';
import { registerAccountPages } from './pages/account-pages.ts';
import { registerApplicationPages } from './pages/application-pages.ts';
import { registerDocumentationPages } from './pages/documentation-pages.ts';
import { registerLegalPages } from './pages/legal-pages.ts';
import { registerLinkPages } from './pages/link-pages.ts';
import { registerMessagePages } from './pages/message-pages.ts';
import { registerMonitorPages } from './pages/monitor-pages.ts';
import { registerOperatorPages } from './pages/operator-pages.ts';
import { registerPlanPages } from './pages/plan-pages.ts';
import { registerPublicPages } from './pages/public-pages.ts';
import { registerSignInPages } from './pages/sign-in-pages.ts';
import { registerUsagePages } from './pages/usage-pages.ts';
import { registerMissingPage, registerSite } from './layout/site.ts';
import { createVisitors } from './layout/visitor.ts';

export type DialogDependencies = {
  clock: Clock;
  log: Logger;
  db: Kysely<Tables>;
  oauth: OAuth;
  baseUrl: string;
  /** Of signing-key.ts. */
  signingKey: Buffer;
};

export type WebsiteDependencies = DialogDependencies & {
  config: Pick<Config, 'operatorEmail' | 'imprint' | 'termsUrl' | 'privacyUrl'>;
  /** Of admission.ts. */
  admission?: Admission;
  mailer: Mailer;
  outbox: Outbox;
  links: Pick<Links, 'find'>;
  /** Has the routes of the API, which the documentation tries out. */
  api: Pick<FastifyInstance, 'inject'>;
  /** Of the API's routes (http/operation.ts). */
  operations: readonly DocumentedOperation[];
  deliveryLog: Pick<DeliveryLog, 'states' | 'turnOn' | 'resend'>;
  secrets: WebhookSecrets;
};

/** Without a mail server a form has to say that an address is taken; this keeps anyone from asking for long lists. */
const takenLimit = { failures: 10, windowSeconds: 600 };

/** The dialog and the website, with the files of their pages. */
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
  const issuer = oauth.sendsIssuer ? baseUrl : undefined;
  registerDialogRoutes(scope, { ...oauth, requests, visitors, baseUrl, issuer });
}

function registerPages(scope: FastifyInstance, needs: WebsiteDependencies): void {
  const { config, clock, log, db, oauth, mailer, outbox, links, baseUrl, api, signingKey } = needs;
  const { accounts, applications, plans, sessions, signIn, tokens, usage } = oauth;
  const contracts = createContractStore({ db, clock });
  const visitors = createVisitors(sessions, baseUrl, signingKey);
  const routes = createPageRoutes(scope, { visitors, baseUrl, log });
  const countTaken = createCountGuard(clock, takenLimit, 'attempts with a taken email address');
  registerPublicPages(routes, { baseUrl });
  registerLegalPages(scope, routes, config);
  registerSignInPages(routes, { clock, accounts, signIn, visitors, mailer, countTaken });
  registerAccountPages(routes, { ...oauth, db, clock, mailer, visitors, countTaken });
  registerLinkPages(routes, { db, clock, accounts, links, mailer });
  registerPlanPages(routes, { plans, contracts, mailer, operatorEmail: config.operatorEmail });
  registerApplicationPages(routes, {
    ...needs,
    plans,
    contracts,
    applications,
    applicationLimitOf: oauth.applicationLimitOf,
  });
  registerMonitorPages(routes, { ...needs, applications });
  registerUsagePages(routes, { db, clock, plans, applications, usage, mailer });
  registerMessagePages(routes, { db, clock, mailer, operatorEmail: config.operatorEmail });
  registerOperatorPages(routes, { outbox });
  registerDocumentationPages(routes, { api, applications, tokens, baseUrl, operations: needs.operations });
  registerMissingPage(scope);
}
