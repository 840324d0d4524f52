// An application's monitors: the list, and what its buttons do.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Kysely } from 'kysely';
import { type DeliveryState, formatFailure } from '@rainbell/contract/service-api';
import { parseTimestamp } from '@rainbell/shared';
import type { Application, ApplicationStore } from '../../accounts/application-store.ts';
import type { Tables } from '../../database/tables.ts';
import type { DeliveryLog } from '../../monitors/delivery/delivery-log.ts';
import { type ApiNeeds, callJson, monitorPath } from '../../oauth/call-api.ts';
import { timeText } from '../layout/dates.ts';
import { hidden } from '../layout/fields.ts';
import { icon } from '../layout/icons.ts';
import type { OwnView, PageRoutes } from '../layout/page-routes.ts';
import { type Cells, table } from '../layout/table.ts';
import { ownApplication } from './application-pages.ts';
import { applicationHead } from './application-views.ts';
import type { NameMonitors } from './monitor-names.ts';

type Dependencies = ApiNeeds & {
  db: Kysely<Tables>;
  applications: ApplicationStore;
  deliveryLog: Pick<DeliveryLog, 'states'>;
  nameMonitors: NameMonitors;
};

const shownLimit = 200;

const actions = {
  test: { text: 'Test', feedback: 'test_event_sent', method: 'POST', end: 'test-event/' },
  resume: { text: 'Turn on', feedback: 'delivery_on', method: 'PATCH', end: 'delivery/', body: '{"is_on":true}' },
  delete: { text: 'Delete', feedback: 'monitor_deleted', method: 'DELETE', end: '' },
} as const;

export function registerMonitorPages(routes: PageRoutes, needs: Dependencies): void {
  const { db, applications, deliveryLog, nameMonitors } = needs;
  const own = ({ account, id }: OwnView) => ownApplication(applications, account.id, id);

  routes.ownPage({
    path: '/applications/:id/monitors',
    title: 'Monitors',
    section: '/applications/',
    async view(view) {
      const application = await own(view);
      const monitors = await monitorsOf(db, application.id);
      const states = new Map((await deliveryLog.states(application.id)).map((state) => [state.monitor_id, state]));
      const names = await nameMonitors(monitors.map(({ id }) => id));
      const rows = monitors.map((monitor) =>
        monitorRow(view.csrf, application, monitor, states.get(monitor.id), names),
      );
      return html`${applicationHead(application, 'monitors/')} ${monitorTable(application, rows)}`;
    },
  });

  for (const [name, { text: _, feedback, end, ...request }] of Object.entries(actions)) {
    routes.ownAction({
      path: `/applications/:id/monitors/${name}`,
      async submit(view) {
        const application = await own(view);
        await callJson(needs, application, { ...request, path: monitorPath(view.form.get('monitor') ?? '') + end });
        return { goTo: `/applications/${application.id}/monitors/`, feedback };
      },
    });
  }
}

type MonitorLine = { id: string; callback_uri: string; latitude: string; longitude: string };

function monitorsOf(db: Kysely<Tables>, applicationId: string): Promise<MonitorLine[]> {
  return db
    .selectFrom('monitors')
    .select(['id', 'callback_uri', 'latitude', 'longitude'])
    .where('application_id', '=', applicationId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(shownLimit)
    .execute();
}

function monitorTable({ id }: Application, rows: readonly Cells[]): SafeHtml {
  if (rows.length === 0) {
    return html`<section class="card empty">
      ${icon('bell')}
      <h2>No monitors yet</h2>
      <p>A monitor sends a callback to your server when rain comes near a place.</p>
      ${newMonitor(id)}
    </section>`;
  }
  return html`<div class="actions">${newMonitor(id)}</div>
    ${table('Monitors', ['Monitor', 'Callback URL', 'Last event', 'Delivery', 'Actions'], rows)}
    ${rows.length === shownLimit ? html`<p class="hint">Showing the ${shownLimit} newest monitors.</p>` : ''}`;
}

function newMonitor(applicationId: string): SafeHtml {
  return html`<a class="button primary" href="/applications/${applicationId}/monitors/edit/"
    >${icon('plus')} New monitor</a
  >`;
}

function monitorRow(
  csrf: string,
  application: Application,
  { id, callback_uri, latitude, longitude }: MonitorLine,
  state: DeliveryState | undefined,
  names: ReadonlyMap<string, string>,
): Cells {
  const path = `/applications/${application.id}`;
  const button = (name: keyof typeof actions) =>
    html`<form method="post" action="${path}/monitors/${name}/">
      ${hidden('csrf', csrf)} ${hidden('monitor', id)}
      <button type="submit" aria-label="${actions[name].text} ${id}">${actions[name].text}</button>
    </form>`;
  const lastEvent = state?.last_event_at ? timeText(parseTimestamp(state.last_event_at) ?? 0) : 'None';
  return [
    html`<a href="${path}/monitors/edit/?monitor=${id}">${id}</a>
      <p>${names.get(id) ?? ''}</p>
      <p class="hint">${latitude}, ${longitude}</p>`,
    callback_uri,
    html`<a href="${path}/events/?monitor=${id}">${lastEvent}</a>`,
    state ? deliveryOf(state) : '',
    html`<div class="actions">
      ${button('test')} ${state?.is_on === false ? button('resume') : ''}
      <details>
        <summary aria-label="Delete ${id}…">Delete…</summary>
        ${button('delete')}
      </details>
    </div>`,
  ];
}

function deliveryOf({ is_on, off_reason, last_attempt: last }: DeliveryState): SafeHtml {
  if (!is_on) return html`<span class="chip bad">off</span> ${off_reason ?? ''}`;
  if (last === null) return html`<span class="chip">on</span>`;
  return html`<span class="chip ${last.error === null ? 'good' : 'bad'}">on</span> ${formatFailure(last)}`;
}
