// An application's monitors: the list with its buttons, and the form (docs/interface.md §4.5, docs/events.md). Changes go through the API.
import type { z } from 'zod';
import { html, type SafeHtml } from '@remix-run/html-template';
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
import type { Application } from '../../accounts/application-store.ts';
import type { Db } from '../../database/tables.ts';
import { callJson, monitorPath } from '../../oauth/call-api.ts';
import type { Form } from '../../oauth/form-body.ts';
import { instantText } from '../layout/dates.ts';
import { type Field, showForm } from '../layout/fields.ts';
import { atField } from '../layout/form-error.ts';
import { icon } from '../layout/icons.ts';
import { emptyCard } from '../layout/page.ts';
import type { OwnView, PageRoutes } from '../layout/page-routes.ts';
import { type Cells, table } from '../layout/table.ts';
import type { Website } from '../website.ts';
import { applicationHead } from './application-views.ts';

const shownLimit = 200;

const actions = {
  test: { text: 'Test', feedback: 'test_event_sent', method: 'POST', end: 'test-event/' },
  pause: { text: 'Pause', feedback: 'monitor_paused', method: 'PATCH', end: 'delivery/', body: '{"is_on":false}' },
  resume: { text: 'Resume', feedback: 'delivery_on', method: 'PATCH', end: 'delivery/', body: '{"is_on":true}' },
  delete: { text: 'Delete', feedback: 'monitor_deleted', method: 'DELETE', end: '' },
} as const;

export function registerMonitorPages(routes: PageRoutes, website: Website): void {
  const { db, deliveryLog, nameMonitors } = website;

  routes.ownPage({
    path: '/applications/:id/monitors',
    title: 'Monitors',
    async view(view) {
      const application = await routes.application(view);
      const monitors = await monitorsOf(db, application.id);
      const states = new Map((await deliveryLog.states(application.id)).map((state) => [state.monitor_id, state]));
      const names = await nameMonitors(monitors.map(({ id }) => id));
      const rows = monitors.map((monitor) => monitorRow(view, application, monitor, states.get(monitor.id), names));
      return html`${applicationHead(application, 'monitors/')} ${monitorTable(application, rows)}`;
    },
  });

  for (const [name, { text: _, feedback, end, ...request }] of Object.entries(actions)) {
    routes.ownAction({
      path: `/applications/:id/monitors/${name}`,
      async submit(view) {
        const application = await routes.application(view);
        await callJson(website, application, { ...request, path: monitorPath(view.form.get('monitor') ?? '') + end });
        return { goTo: `/applications/${application.id}/monitors/`, feedback };
      },
    });
  }

  const read = async (application: Application, monitorId: string) =>
    monitorSchema.parse(await callJson(website, application, { method: 'GET', path: monitorPath(monitorId) }));

  routes.ownForm({
    path: '/applications/:id/monitors/edit',
    title: 'Monitor',
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
      await callJson(website, application, { method, path, body }).catch(atField(members));
      return { goTo: `/applications/${application.id}/monitors/`, feedback: 'monitor_saved' };
    },
  });
}

type MonitorLine = { id: string; callback_uri: string; latitude: string; longitude: string };

function monitorsOf(db: Db, applicationId: string): Promise<MonitorLine[]> {
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
  view: OwnView,
  application: Application,
  { id, callback_uri, latitude, longitude }: MonitorLine,
  state: DeliveryState | undefined,
  names: ReadonlyMap<string, string>,
): Cells {
  const path = `/applications/${application.id}`;
  const button = (name: keyof typeof actions) => {
    const { text } = actions[name];
    const action = `${path}/monitors/${name}/`;
    return showForm(view, { action, hidden: { monitor: id }, button: text, look: '', label: `${text} ${id}` });
  };
  const lastEvent = state?.last_event_at ? instantText(state.last_event_at) : 'None';
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

const payloadField: Field = {
  name: 'payload',
  label: 'Sends',
  type: 'radio',
  options: [
    {
      value: 'monitor',
      text: 'The monitor, as in the API documentation',
      hint: 'At most once an hour, when precipitation is near. Ignores the choices below.',
    },
    { value: 'event', text: 'Rain event', hint: 'JSON with kind, amount, start, and end.' },
    { value: 'slack', text: 'Slack message' },
    { value: 'discord', text: 'Discord message' },
    { value: 'teams', text: 'Teams message' },
  ],
};
const events: readonly (readonly [ChosenEvent, string])[] = [
  ['precipitation.started', 'Notify me when it starts'],
  ['precipitation.expected', 'Notify me before it starts'],
  ['precipitation.ended', 'Notify me when it is over'],
];
const uriField: Field = {
  name: 'callback_uri',
  label: 'Callback URL',
  hint: 'Gets a POST. Use https if it is not on this machine.',
};
const latField: Field = { name: 'lat', label: 'Latitude', hint: 'In degrees, north is positive: 45.07' };
const lngField: Field = { name: 'lng', label: 'Longitude', hint: 'In degrees, east is positive: 7.69' };
const rateField: Field = { name: 'rate', label: 'From (mm/h)' };
const leadField: Field = { name: 'lead', label: 'Minutes before it starts', hint: '5 to 60' };
const dryField: Field = { name: 'dry', label: 'Dry minutes until it is over', hint: '15 to 360' };
/** The fields of the API's members. The first for what is about none. */
const members = {
  callback_uri: uriField,
  'geo.lat': latField,
  'geo.lng': lngField,
  'conditions.min_precipitation_rate': rateField,
  'conditions.lead_minutes': leadField,
  'conditions.dry_minutes': dryField,
};

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
  const stored: MonitorOptions = monitor ?? {};
  const rules = eventRulesOf(stored);
  const place: LatLng | undefined = monitor && toLatLng(monitor.geo);
  const chosen = rules?.events ?? ['precipitation.started'];
  const path = `/applications/${application.id}/monitors/`;
  return html`<section class="card">
    <h2>${monitor ? html`Edit <code>${monitor.id}</code>` : 'New monitor'}</h2>
    ${showForm(view, {
      action: `${path}edit/`,
      hidden: monitor ? { monitor: monitor.id } : {},
      fields: [
        [
          { ...latField, value: place?.lat.toString() },
          { ...lngField, value: place?.lng.toString() },
        ],
        { ...uriField, value: monitor?.callback_uri },
        { ...payloadField, value: stored.payload ?? 'monitor' },
        ...events.map(([name, label]): Field => ({
          name,
          label,
          type: 'box',
          value: chosen.includes(name) ? 'yes' : '',
        })),
        [
          { ...rateField, value: String(rules?.leastMmPerHour ?? 0.1) },
          { ...leadField, value: String(rules?.leadMinutes ?? 15) },
          { ...dryField, value: String(rules?.dryMinutes ?? 60) },
        ],
      ],
      button: monitor ? 'Save' : html`${icon('bell')} Create monitor`,
    })}
  </section>`;
}
