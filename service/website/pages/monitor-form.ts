// Creates and edits an application's monitors through the API (docs/interface.md §4.5, docs/events.md).
import type { z } from 'zod';
import { html, type SafeHtml } from '@remix-run/html-template';
import {
  type ChosenEvent,
  eventRulesOf,
  type LatLng,
  type MonitorOptions,
  monitorSchema,
  toLatLng,
} from '@rainbell/contract/service-api';
import type { Application, ApplicationStore } from '../../accounts/application-store.ts';
import { type ApiNeeds, callJson, monitorPath } from '../../oauth/call-api.ts';
import type { Form } from '../../oauth/form-body.ts';
import { checkBox, hidden, radioGroup, textField } from '../layout/fields.ts';
import { atField, type FieldMember } from '../layout/form-error.ts';
import { icon } from '../layout/icons.ts';
import type { OwnView, PageRoutes } from '../layout/page-routes.ts';
import { ownApplication } from './application-pages.ts';
import { applicationHead } from './application-views.ts';

type Dependencies = ApiNeeds & { applications: ApplicationStore };
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

export function registerMonitorForm(routes: PageRoutes, needs: Dependencies): void {
  const own = ({ account, id }: OwnView) => ownApplication(needs.applications, account.id, id);

  const read = async (application: Application, monitorId: string) =>
    monitorSchema.parse(await callJson(needs, application, { method: 'GET', path: monitorPath(monitorId) }));

  routes.ownForm({
    path: '/applications/:id/monitors/edit',
    title: 'Monitor',
    section: '/applications/',
    async view(view) {
      const application = await own(view);
      const monitorId = view.query.get('monitor') ?? view.form.get('monitor');
      const monitor = monitorId === undefined ? undefined : await read(application, monitorId);
      return html`${applicationHead(application, 'monitors/')} ${monitorForm(view, application, monitor)}`;
    },
    async submit(view) {
      const application = await own(view);
      const monitorId = view.form.get('monitor');
      const stored = monitorId === undefined ? undefined : await read(application, monitorId);
      const [method, path] = stored ? (['PUT', monitorPath(stored.id)] as const) : (['POST', monitorPath()] as const);
      const body = JSON.stringify(bodyOf(view.form, stored));
      await callJson(needs, application, { method, path, body }).catch(atField(members));
      return { goTo: `/applications/${application.id}/monitors/`, feedback: 'monitor_saved' };
    },
  });
}

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
