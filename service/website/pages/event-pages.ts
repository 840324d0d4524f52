// The record of an application's events (docs/delivery.md S11): a list with filters, and one event with its attempts.
import { html, type SafeHtml } from '@remix-run/html-template';
import {
  type EventPage,
  type EventRecord,
  eventPageSizes,
  type EventState,
  eventStateLabels,
  eventStates,
  formatEventEnd,
  formatEventsCsv,
  formatFailure,
  formatOutcome,
  summarizeEvent,
} from '@rainbell/contract/service-api';
import { ServiceError } from '../../errors/service-error.ts';
import { readEventQuery } from '../../monitors/events/event-routes.ts';
import { callJson, monitorPath } from '../../oauth/call-api.ts';
import { codeBlock } from '../layout/code.ts';
import { instantText, timeText } from '../layout/dates.ts';
import { type Field, showField, showForm } from '../layout/fields.ts';
import { emptyCard } from '../layout/page.ts';
import type { OwnView, PageRoutes } from '../layout/page-routes.ts';
import { facts, table } from '../layout/table.ts';
import type { Website } from '../website.ts';
import { applicationHead } from './application-views.ts';

export const pageSize = 50;

export function registerEventPages(routes: PageRoutes, website: Website): void {
  const { records, nameMonitors } = website;

  routes.ownPage({
    path: '/applications/:id/events',
    title: 'Events',
    hasScript: true,
    async view(view) {
      const application = await routes.application(view);
      const applicationId = application.id;
      const path = `/applications/${applicationId}/events/`;
      const id = view.query.get('event');
      if (id === null) {
        const page = await records.page({ ...filterOf(view.query), applicationId, limit: pageSize });
        const names = await nameMonitors(page.objects.map((event) => event.monitor_id));
        const csv = `/applications/${applicationId}/events.csv`;
        return html`${applicationHead(application, 'events/')}
        ${eventList({ path, query: view.query, page, names, csv })}`;
      }
      const [event] = (await records.page({ id, applicationId, limit: 1 })).objects;
      if (!event) throw new ServiceError('not_found', 'This event is not in the record, which has 30 days.');
      const names = await nameMonitors([event.monitor_id]);
      return html`${applicationHead(application, 'events/')} ${eventDetails({ path, event, names })}
      ${event.state === 'waiting' || event.state === 'deleted' ? '' : resendForm(view, path, event)}`;
    },
  });

  routes.ownFile({
    path: '/applications/:id/events.csv',
    async text(view) {
      const { id: applicationId } = await routes.application(view);
      const { objects } = await records.page({ ...filterOf(view.query), applicationId, limit: eventPageSizes.max });
      return formatEventsCsv(objects);
    },
  });

  routes.ownAction({
    path: '/applications/:id/events/resend',
    async submit(view) {
      const application = await routes.application(view);
      const id = encodeURIComponent(view.form.get('event') ?? '');
      const path = `${monitorPath(view.form.get('monitor') ?? '')}events/${id}/resend/`;
      await callJson(website, application, { method: 'POST', path });
      return { goTo: `/applications/${application.id}/events/?event=${id}`, feedback: 'event_resent' };
    },
  });
}

/** Throws a ServiceError. A form sends its empty fields too. */
export function filterOf(query: URLSearchParams) {
  return readEventQuery(Object.fromEntries([...query].filter(([, value]) => value !== '')));
}

type EventList = {
  path: string;
  query: URLSearchParams;
  page: EventPage;
  names: ReadonlyMap<string, string>;
  csv?: string;
};

/** `path`: of the page, which shows the event named in `event` instead. */
export function eventList({ path, query, page: { objects, meta }, names, csv }: EventList): SafeHtml {
  const address = (changes: Readonly<Record<string, string>>, at = path) =>
    `${at}?${String(new URLSearchParams({ ...Object.fromEntries(query), ...changes }))}`;
  const isFirst = !query.has('before');
  return html`${filterForm(path, query)}
    ${objects.length === 0 ? noEvents(meta.next !== null) : eventTable(path, objects, names)}
    <div class="actions">
      ${isFirst ? '' : html`<a class="button" href="${address({ before: '' })}">Newest</a>`}
      ${meta.next === null ? '' : html`<a class="button" href="${address({ before: meta.next })}">Older events</a>`}
      ${objects.length === 0 || csv === undefined ? '' : html`<a class="button" href="${address({}, csv)}">CSV, up to ${eventPageSizes.max} events</a>`}
    </div>`;
}

export function filterForm(path: string, query: URLSearchParams): SafeHtml {
  const options = [
    { value: '', text: 'Any' },
    ...eventStates.map((value) => ({ value, text: eventStateLabels[value] })),
  ];
  const fields: readonly Field[] = [
    { name: 'from', label: 'From (UTC)', type: 'datetime-local' },
    { name: 'to', label: 'Until (UTC)', type: 'datetime-local' },
    { name: 'state', label: 'State', type: 'select', options },
    { name: 'host', label: 'Callback host' },
    { name: 'monitor', label: 'Monitor ID' },
  ];
  return html`<form class="filters" method="get" action="${path}" role="search">
    ${fields.map((field) => showField({ ...field, value: query.get(field.name) ?? '' }))}
    <div class="field"><button type="submit">Filter</button> <a class="button quiet" href="${path}">Clear</a></div>
  </form>`;
}

function noEvents(areOlder: boolean): SafeHtml {
  if (areOlder) return emptyCard('hook', 'No matching events among the latest', html`<p>Older events may match.</p>`);
  const text = 'Each event appears here for 30 days: why it fired, and each delivery attempt.';
  return emptyCard('hook', 'No events', html`<p>${text}</p>`);
}

const chips: Readonly<Partial<Record<EventState, string>>> = {
  waiting: 'wait',
  delivered: 'good',
  failed: 'bad',
  expired: 'bad',
};

function stateChip(state: EventState): SafeHtml {
  return html`<span class="chip ${chips[state] ?? ''}">${eventStateLabels[state]}</span>`;
}

function eventTable(path: string, events: readonly EventRecord[], names: EventList['names']): SafeHtml {
  const rows = events.map(({ id, monitor_id, type, occurred_at, host, state, attempts, outcome }) => {
    const last = attempts.at(-1);
    return [
      html`<a href="${path}?event=${id}">${instantText(occurred_at)}</a>
        ${type === 'precipitation' ? '' : html`<p class="hint">${type}</p>`}`,
      html`${names.get(monitor_id) ?? ''}
        <p class="hint"><a href="${path}?monitor=${monitor_id}">${monitor_id}</a></p>`,
      host,
      html`${stateChip(state)} ${last ? formatFailure(last) : ''}
      ${outcome ? html`<p class="hint">${formatOutcome(outcome)}</p>` : ''}`,
    ];
  });
  return table('Events', ['Time', 'Monitor', 'Callback host', 'State'], rows);
}

export function eventDetails({
  path,
  event,
  names,
}: Pick<EventList, 'path' | 'names'> & { event: EventRecord }): SafeHtml {
  const { id, monitor_id, type, state, attempts, outcome, trigger } = event;
  return html`<p><a href="${path}">All events</a></p>
    <section class="card">
      <h2>${formatEventEnd(summarizeEvent(event), timeText)}</h2>
      ${facts([
        ['State', stateChip(state)],
        ['Event ID', html`<code>${id}</code>`],
        ['Type', html`<code>${type}</code>`],
        ['Monitor', html`${names.get(monitor_id) ?? ''} <a href="${path}?monitor=${monitor_id}">${monitor_id}</a>`],
        ['Why it fired', trigger ? triggerText(trigger) : (otherReasons[type] ?? 'Not recorded')],
        ['Was it right?', outcome ? formatOutcome(outcome) : 'Not compared with observations'],
      ])}
    </section>
    ${attempts.toReversed().map((attempt, index) => attemptCard(attempt, index === 0))}`;
}

const otherReasons: Readonly<Partial<Record<EventRecord['type'], string>>> = {
  test: 'Sent as a test',
  'precipitation.ended': 'The precipitation ended',
};

function triggerText(trigger: NonNullable<EventRecord['trigger']>): string {
  const { precipitation_type: kind, precipitation_rate: rate, source, basis, updated_at, distance_km: km } = trigger;
  const what = kind === 'unknown' ? 'precipitation' : kind;
  return [
    rate === null ? what : `${what}, ${rate.toFixed(1)} mm/h`,
    `${basis === null ? '' : `${basis} of `}${source} of ${instantText(updated_at)}`,
    ...(km === null ? [] : [`${km.toFixed(1)} km away`]),
  ].join('; ');
}

function attemptCard(attempt: EventRecord['attempts'][number], isOpen: boolean): SafeHtml {
  const { attempt: count, kind, started_at, latency_ms, request, http_status, error, answer } = attempt;
  const result = formatFailure({ http_status, error });
  return html`<details class="card attempt" ${isOpen ? html`open` : ''}>
    <summary>
      <span class="chip ${error === null ? 'good' : 'bad'}">${result}</span>
      Attempt ${count}${kind === 'resend' ? ' (resent)' : ''}, ${instantText(started_at)}, ${latency_ms} ms
    </summary>
    ${
      request === null
        ? ''
        : html`<h3>Request, without its signature</h3>
            ${codeBlock(requestText(request), `request of attempt ${count}`)}`
    }
    ${
      http_status === null || request === null
        ? ''
        : html`<h3>Response, at most 2 KB</h3>
            ${codeBlock(answer === '' ? '(empty)' : answer, `response to attempt ${count}`)}`
    }
  </details>`;
}

function requestText({ url, headers, body }: NonNullable<EventRecord['attempts'][number]['request']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url}`, ...lines, '', body].join('\n');
}

function resendForm(view: OwnView, path: string, { id, monitor_id }: EventRecord): SafeHtml {
  const hidden = { event: id, monitor: monitor_id };
  return html`<div class="actions">
    ${showForm(view, { action: `${path}resend/`, hidden, button: 'Resend event', look: '' })}
    <span class="hint">To the monitor's current URL, with the same event ID.</span>
  </div>`;
}
