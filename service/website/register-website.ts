// All pages of the service: the developer website (docs/interface.md §5.2, §7.3) and the authorization pages (§4.1), rendered on
// the server with the same accounts, applications, and tokens as the API. One per service.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { FastifyInstance } from 'fastify';
import { plural } from '@rainbell/shared';
import { isRegistrationOpen } from '../config/config.ts';
import { registerDialogRoutes } from './dialog/dialog-routes.ts';
import { createPendingRequests } from '../oauth/pending-request.ts';
import { registerAssets } from './layout/assets.ts';
import { type Incident, incidentsOf } from '../monitors/incidents.ts';
import { timeText } from './layout/dates.ts';
import { icon } from './layout/icons.ts';
import { createPageRoutes } from './layout/page-routes.ts';
import { registerAccountPages } from './pages/account-pages.ts';
import { registerApplicationPages } from './pages/application-pages.ts';
import { registerDocumentationPages } from './pages/documentation-pages.ts';
import { registerEventPages } from './pages/event-pages.ts';
import { registerLinkPages } from './pages/link-pages.ts';
import { registerMessagePages } from './pages/message-pages.ts';
import { registerMonitorPages } from './pages/monitor-pages.ts';
import { registerOperatorPages } from './pages/operator-page.ts';
import { registerPlanPages } from './pages/plan-pages.ts';
import { registerPublicPages } from './pages/public-pages.ts';
import { registerSetupPages } from './pages/setup-pages.ts';
import { registerSignInPages } from './pages/sign-in-pages.ts';
import { createTakenGuard } from './pages/unconfirmed-email.ts';
import { registerUsagePages } from './pages/usage-pages.ts';
import { registerMissingPage, registerSite } from './layout/site.ts';
import { createVisitors } from './layout/visitor.ts';
import type { DialogDependencies, Website, WebsiteDependencies } from './website.ts';

export function registerWebsite(server: FastifyInstance, needs: WebsiteDependencies): Promise<void> {
  return registerSite(server, needs, (scope) => {
    registerDialog(scope, needs);
    registerPages(scope, needs);
  });
}

export function registerDialog(
  scope: FastifyInstance,
  { clock, oauth, baseUrl, signingKey }: DialogDependencies,
): void {
  const requests = createPendingRequests({ key: signingKey, clock });
  const visitors = createVisitors(oauth.sessions, baseUrl, signingKey);
  registerAssets(scope);
  registerDialogRoutes(scope, { ...oauth, requests, visitors, baseUrl });
}

function registerPages(scope: FastifyInstance, needs: WebsiteDependencies): void {
  const { config, db, oauth, baseUrl, api, signingKey } = needs;
  const { host } = new URL(baseUrl);
  const website: Website = {
    ...needs,
    ...oauth,
    visitors: createVisitors(oauth.sessions, baseUrl, signingKey),
    nameMonitors: createMonitorNames(needs),
    countTaken: createTakenGuard(needs.fleet),
    send: ({ method, path, body }, headers) =>
      api.inject({ method, url: path, headers: { host, ...headers }, ...(body !== undefined && { payload: body }) }),
  };
  const routes = createPageRoutes(scope, {
    ...website,
    canRegister: isRegistrationOpen(config),
    bannerOf: async ({ id }) => incidentBanner(await incidentsOf(db, id, shownIncidents)),
  });
  registerPublicPages(routes, website);
  registerSignInPages(routes, website);
  registerAccountPages(routes, website);
  registerLinkPages(routes, website);
  registerPlanPages(routes, website);
  registerApplicationPages(routes, website);
  registerMonitorPages(routes, website);
  registerEventPages(routes, website);
  registerUsagePages(routes, website);
  registerMessagePages(routes, website);
  registerOperatorPages(routes, website);
  registerDocumentationPages(routes, website);
  if (config.isHome) registerSetupPages(routes, website);
  registerMissingPage(scope);
}

function createMonitorNames({ db, locate }: WebsiteDependencies): Website['nameMonitors'] {
  return async (ids) => {
    if (ids.length === 0) return new Map();
    const rows = await db
      .selectFrom('monitors')
      .select(['id', 'latitude', 'longitude'])
      .where('id', 'in', ids)
      .execute();
    const named = rows.map(async ({ id, latitude, longitude }): Promise<[string, string]> => {
      const { locality, country } = (await locate({ lat: Number(latitude), lng: Number(longitude) })) ?? {};
      return [id, [locality, country].filter((part) => part !== undefined).join(', ')];
    });
    return new Map(await Promise.all(named));
  };
}

const shownIncidents = 3;

const offTexts = [
  'Delivery is off for # monitor in {name}. Callbacks have been failing since {time}.',
  'Delivery is off for # monitors in {name}. Callbacks have been failing since {time}.',
] as const;
const failingTexts = [
  'Callbacks for # monitor in {name} have been failing since {time}.',
  'Callbacks for # monitors in {name} have been failing since {time}.',
] as const;

function incidentBanner(incidents: readonly Incident[]): SafeHtml {
  return html`${incidents.map(
    ({ applicationId, name, beganAt, failing, off }) =>
      html`<div class="feedback warning" role="status" data-incident="${off > 0 ? 'off' : 'failing'}">
        ${icon('alert')}
        <p>
          ${plural(off || failing, off > 0 ? offTexts : failingTexts, { name, time: timeText(beganAt) })}
          <a href="/applications/${applicationId}/monitors/">Show monitors</a>
        </p>
      </div>`,
  )}`;
}
