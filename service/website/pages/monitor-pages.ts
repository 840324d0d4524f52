// An application's monitors: the list with its buttons, and the form (docs/interface.md §4.5, docs/events.md). Changes go through the API.
import type { z } from 'zod';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Kysely } from 'kysely';
import {
  type ChosenEvent,
  type DeliveryState,
  eventRulesOf,
  formatFailure,
  type LatLng,
  type MonitorOptions,
  monitorSchema,
  pausedReason,
  toLatLng,
} from '@rainbell/contract/service-api';
import { parseTimestamp } from '@rainbell/shared';
import type { Application } from '../../accounts/application-store.ts';
import type { Tables } from '../../database/tables.ts';
import type { DeliveryLog } from '../../monitors/delivery/delivery-log.ts';
import { type ApiNeeds, callJson, monitorPath } from '../../oauth/call-api.ts';
import type { Form } from '../../oauth/form-body.ts';
import { timeText } from '../layout/dates.ts';
import { checkBox, hidden, radioGroup, textField } from '../layout/fields.ts';
import { atField, type FieldMember } from '../layout/form-error.ts';
import { icon } from '../layout/icons.ts';
import { emptyCard } from '../layout/page.ts';
import type { OwnView, PageRoutes } from '../layout/page-routes.ts';
import { type Cells, table } from '../layout/table.ts';
import { applicationHead } from './application-views.ts';
import type { NameMonitors } from './monitor-names.ts';

type Dependencies = ApiNeeds & {
  db: Kysely<Tables>;
  deliveryLog: Pick<DeliveryLog, 'states'>;
  nameMonitors: NameMonitors;
};

const shownLimit = 200;

const actions = {
  test: { text: 'Test', feedback: 'test_event_sent', method: 'POST', end: 'test-event/' },
  pause: { text: 'Pause', feedback: 'monitor_paused', method: 'PATCH', end: 'delivery/', body: '{"is_on":false}' },
  resume: { text: 'Resume', feedback: 'delivery_on', method: 'PATCH', end: 'delivery/', body: '{"is_on":true}' },
  delete: { text: 'Delete', feedback: 'monitor_deleted', method: 'DELETE', end: '' },
} as const;

export function registerMonitorPages(routes: PageRoutes, needs: Dependencies): void {
  const { db, deliveryLog, nameMonitors } = needs;

  routes.ownPage({
    path: '/applications/:id/monitors',
    title: 'Monitors',
    section: '/applications/',
    async view(view) {
      const application = await routes.application(view);
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
        const application = await routes.application(view);
        await callJson(needs, application, { ...request, path: monitorPath(view.form.get('monitor') ?? '') + end });
        return { goTo: `/applications/${application.id}/monitors/`, feedback };
      },
    });
  }

  const read = async (application: Application, monitorId: string) =>
    monitorSchema.parse(await callJson(needs, application, { method: 'GET', path: monitorPath(monitorId) }));

  routes.ownForm({
    path: '/applications/:id/monitors/edit',
    title: 'Monitor',
    section: '/applications/',
    async view(view) {
      const application = await routes.application(view);
      const monitorId = view.query.get('monitor') ?? view.form.get('monitor');
      const monitor = monitorId === undefined ? undefined : await read(application, monitorId);
      return html`${applicationHead(application, 'monitors/')} ${monitorForm(view, application, monitor)}`;
    },
    async submit(view) {
      const application = await routes.application(view);
      const monitorId = view.form.get('monitor');
      const stored = monitorId === undefined ? undefined : await read(application, monitorId);
      const [method, path] = stored ? (['PUT', monitorPath(stored.id)] as const) : (['POST', monitorPath()] as const);
      const body = JSON.stringify(bodyOf(view.form, stored));
      await callJson(needs, application, { method, path, body }).catch(atField(members));
      return { goTo: `/applications/${application.id}/monitors/`, feedback: 'monitor_saved' };
    },
  });
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
    const text = 'A monitor sends a callback to your server when rain comes near a place.';
    return emptyCard(
      'bell',
      'No monitors yet',
      html`<p>${text}</p>
        ${newMonitor(id)}`,
    );
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
      ${button('test')} ${button(state?.is_on === false ? 'resume' : 'pause')}
      <details>
        <summary aria-label="Delete ${id}…">Delete…</summary>
        ${button('delete')}
      </details>
    </div>`,
  ];
}

function deliveryOf({ is_on, off_reason, last_attempt: last }: DeliveryState): SafeHtml {
  if (off_reason === pausedReason) return html`<span class="chip wait">paused</span>`;
  if (!is_on) return html`<span class="chip bad">off</span> ${off_reason ?? ''}`;
  if (last === null) return html`<span class="chip">on</span>`;
  return html`<span class="chip ${last.error === null ? 'good' : 'bad'}">on</span> ${formatFailure(last)}`;
}

type Monitor = z.infer<typeof monitorSchema>;

const formats = [
  {
    value: 'monitor',
    text: 'The monitor, as in the API documentation',
    hint: 'At most once an hour, when precipitation is near.',
  },
  { value: 'event', text: 'Rain event', hint: 'JSON with kind, amount, start, and end.' },
  { value: 'slack', text: 'Slack message' },
  { value: 'discord', text: 'Discord message' },
  { value: 'teams', text: 'Teams message' },
];
const events: readonly (readonly [ChosenEvent, string])[] = [
  ['precipitation.started', 'When it starts'],
  ['precipitation.expected', 'Before it starts'],
  ['precipitation.ended', 'When it is over'],
];
/** The first for what is about none. */
const members: readonly [FieldMember, ...FieldMember[]] = [
  { member: 'callback_uri', field: 'callback_uri', label: 'Callback URL' },
  { member: 'geo.lat', field: 'lat', label: 'Latitude' },
  { member: 'geo.lng', field: 'lng', label: 'Longitude' },
  { member: 'conditions.min_precipitation_rate', field: 'rate', label: 'From (mm/h)' },
  { member: 'conditions.lead_minutes', field: 'lead', label: 'Minutes before it starts' },
  { member: 'conditions.dry_minutes', field: 'dry', label: 'Dry minutes until it is over' },
];

function bodyOf(form: Form, stored: Monitor | undefined): Record<string, unknown> {
  const payload = form.get('payload') ?? 'monitor';
  const chosen = events.map(([name]) => name).filter((name) => form.get(name) === 'yes');
  const conditions = {
    // The form does not have this one.
    precipitation_types: stored?.conditions?.precipitation_types,
    min_precipitation_rate: numberIn(form, 'rate'),
    lead_minutes: chosen.includes('precipitation.expected') ? numberIn(form, 'lead') : undefined,
    dry_minutes: numberIn(form, 'dry'),
  };
  return {
    monitor_type: 'precipitation',
    callback_uri: form.get('callback_uri')?.trim(),
    geo: { lat: numberIn(form, 'lat'), lng: numberIn(form, 'lng') },
    ...(payload === 'monitor' ? {} : { payload, events: chosen, conditions }),
  };
}

/** What is not a number stays text, so that the API says what is wrong. */
function numberIn(form: Form, name: string): number | string | undefined {
  const text = form.get(name)?.trim().replace(',', '.');
  return text === undefined || Number.isNaN(Number(text)) ? text : Number(text);
}

function monitorForm(view: OwnView, application: Application, monitor: Monitor | undefined): SafeHtml {
  const { csrf, form, problems } = view;
  const isTyped = form.size > 0;
  const stored: MonitorOptions = monitor ?? {};
  const rules = eventRulesOf(stored);
  const place: LatLng | undefined = monitor && toLatLng(monitor.geo);
  const field = (name: string, before: string | number | undefined, hint?: string) => {
    const { label = '' } = members.find((one) => one.field === name) ?? {};
    return textField({ name, label, hint, problems, value: isTyped ? form.get(name) : before?.toString() });
  };
  const isChosen = (event: ChosenEvent) =>
    isTyped ? form.get(event) === 'yes' : (rules?.events ?? ['precipitation.started']).includes(event);
  return html`<section class="card">
    <h2>${monitor ? html`Edit <code>${monitor.id}</code>` : 'New monitor'}</h2>
    <form method="post" action="/applications/${application.id}/monitors/edit/">
      ${hidden('csrf', csrf)} ${monitor ? hidden('monitor', monitor.id) : ''}
      <div class="columns">
        ${field('lat', place?.lat, 'In degrees, north is positive: 45.07')}
        ${field('lng', place?.lng, 'In degrees, east is positive: 7.69')}
      </div>
      ${field('callback_uri', monitor?.callback_uri, 'Gets a POST. Use https if it is not on this machine.')}
      ${radioGroup({ name: 'payload', label: 'Sends', options: formats, problems, value: (isTyped ? form.get('payload') : stored.payload) ?? 'monitor' })}
      <fieldset class="field">
        <legend>Notify me <span class="optional">not for the first format</span></legend>
        ${events.map(([name, text]) => checkBox({ name, label: text, text, isChecked: isChosen(name) }))}
      </fieldset>
      <div class="columns">
        ${field('rate', rules?.leastMmPerHour ?? 0.1)} ${field('lead', rules?.leadMinutes ?? 15, '5 to 60')}
        ${field('dry', rules?.dryMinutes ?? 60, '15 to 360')}
      </div>
      <div class="actions">
        <button class="primary" type="submit">${monitor ? 'Save' : html`${icon('bell')} Create monitor`}</button>
        <a class="button" href="/applications/${application.id}/monitors/">Cancel</a>
      </div>
    </form>
  </section>`;
}
