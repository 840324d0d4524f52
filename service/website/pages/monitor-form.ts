// Creates, edits, tests, and deletes an application's monitors through the API (docs/interface.md §4.5, docs/events.md).
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
import { ServiceError } from '../../errors/service-error.ts';
import type { Form } from '../../oauth/form-body.ts';
import { checkBox, hidden, radioGroup, textField } from '../layout/fields.ts';
import { FormError } from '../layout/form-error.ts';
import { icon } from '../layout/icons.ts';
import type { OwnView, PageRoutes } from '../layout/page-routes.ts';
import type { TrialRequest } from '../openapi/trial-request.ts';
import { ownApplication } from './application-pages.ts';
import { applicationHead } from './application-views.ts';
import { type ApiNeeds, callApi } from './call-api.ts';

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
/** The members of the API behind the fields. */
const members: readonly { member: string; field: string; label: string }[] = [
  { member: 'geo.lat', field: 'lat', label: 'Latitude' },
  { member: 'geo.lng', field: 'lng', label: 'Longitude' },
  { member: 'callback_uri', field: 'callback_uri', label: 'Callback URL' },
  { member: 'conditions.min_precipitation_rate', field: 'rate', label: 'From (mm/h)' },
  { member: 'conditions.lead_minutes', field: 'lead', label: 'Minutes before it starts' },
  { member: 'conditions.dry_minutes', field: 'dry', label: 'Dry minutes until it is over' },
];

export function registerMonitorForm(routes: PageRoutes, needs: Dependencies): void {
  const own = ({ account, id }: OwnView) => ownApplication(needs.applications, account.id, id);

  async function call(application: Application, request: TrialRequest): Promise<string> {
    const { statusCode, body } = await callApi(needs, application, request);
    if (statusCode < 400) return body;
    const { error_description: sentence = '' } = JSON.parse(body) as { error_description?: string };
    const about = members.find(({ member }) => sentence.startsWith(`${member} `));
    const { member = '', field = 'callback_uri', label = '' } = about ?? {};
    throw new FormError('data_problem', { [field]: sentence.replace(member, label) });
  }

  async function read(application: Application, monitorId: string): Promise<Monitor> {
    const path = `/v2/monitors/${encodeURIComponent(monitorId)}/`;
    const { statusCode, body } = await callApi(needs, application, { method: 'GET', path, body: undefined });
    if (statusCode !== 200) throw new ServiceError('not_found', 'This application has no monitor with that ID.');
    return monitorSchema.parse(JSON.parse(body));
  }

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
      const path = monitorId === undefined ? '/v2/monitors/' : `/v2/monitors/${encodeURIComponent(monitorId)}/`;
      const method = monitorId === undefined ? 'POST' : 'PUT';
      const stored = monitorId === undefined ? undefined : await read(application, monitorId);
      await call(application, { method, path, body: JSON.stringify(bodyOf(view.form, stored)) });
      return { goTo: `/applications/${application.id}/monitors/`, feedback: 'monitor_saved' };
    },
  });

  for (const { name, feedback, request } of actions) {
    routes.ownAction({
      path: `/applications/:id/monitors/${name}`,
      async submit(view) {
        const application = await own(view);
        const answer = await callApi(needs, application, request(encodeURIComponent(view.form.get('monitor') ?? '')));
        if (answer.statusCode >= 400) {
          const { error, error_description } = JSON.parse(answer.body) as {
            error: 'not_found';
            error_description: string;
          };
          throw new ServiceError(error, error_description);
        }
        return { goTo: `/applications/${application.id}/monitors/`, feedback };
      },
    });
  }
}

type Action = { name: string; feedback: 'test_event_sent' | 'monitor_deleted'; request: (id: string) => TrialRequest };

const actions: readonly Action[] = [
  {
    name: 'test',
    feedback: 'test_event_sent',
    request: (id) => ({ method: 'POST', path: `/v2/monitors/${id}/test-event/`, body: '{}' }),
  },
  {
    name: 'delete',
    feedback: 'monitor_deleted',
    request: (id) => ({ method: 'DELETE', path: `/v2/monitors/${id}/`, body: undefined }),
  },
];

/** A button that does one of the actions. */
export function monitorAction(
  { name, text }: { name: 'test' | 'delete'; text: string },
  { csrf, applicationId, monitorId }: { csrf: string; applicationId: string; monitorId: string },
): SafeHtml {
  return html`<form method="post" action="/applications/${applicationId}/monitors/${name}/">
    ${hidden('csrf', csrf)} ${hidden('monitor', monitorId)}
    <button type="submit" aria-label="${text} ${monitorId}">${text}</button>
  </form>`;
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
