// An application's monitors, and the attempts and outcomes of their events.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Kysely } from 'kysely';
import { type DeliveryState, formatFailure, formatOutcome, type Outcome } from '@rainbell/contract/service-api';
import { parseTimestamp } from '@rainbell/shared';
import type { Application, ApplicationStore } from '../../accounts/application-store.ts';
import type { Tables } from '../../database/tables.ts';
import { attemptsOfApplication, type DeliveryLog } from '../../monitors/delivery/delivery-log.ts';
import type { OutcomeLog } from '../../verification/outcome-log.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { timeText } from '../layout/dates.ts';
import { hidden } from '../layout/fields.ts';
import { icon } from '../layout/icons.ts';
import type { OwnView, PageRoutes } from '../layout/page-routes.ts';
import { ownApplication } from './application-pages.ts';
import { applicationHead } from './application-views.ts';
import { monitorAction } from './monitor-form.ts';

type Dependencies = {
  db: Kysely<Tables>;
  applications: ApplicationStore;
  deliveryLog: Pick<DeliveryLog, 'states' | 'turnOn' | 'resend'>;
  outcomeLog: Pick<OutcomeLog, 'outcomesOf'>;
};

const shownLimit = 200;
const section = '/applications/';

export function registerMonitorPages(
  routes: PageRoutes,
  { db, applications, deliveryLog, outcomeLog }: Dependencies,
): void {
  const own = ({ account, id }: OwnView) => ownApplication(applications, account.id, id);
  const withOutcomes = async (attempts: readonly AttemptLine[]): Promise<VerifiedLine[]> => {
    const outcomes = await outcomeLog.outcomesOf([...new Set(attempts.map((attempt) => attempt.event_id))]);
    return attempts.map((attempt) => ({ ...attempt, outcome: outcomes.get(attempt.event_id) }));
  };

  routes.ownPage({
    path: '/applications/:id/monitors',
    title: 'Monitors',
    section,
    async view(view) {
      const application = await own(view);
      const monitors = await monitorsOf(db, application.id);
      const states = new Map((await deliveryLog.states(application.id)).map((state) => [state.monitor_id, state]));
      return html`${applicationHead(application, 'monitors/')} ${monitorTable(view.csrf, application, monitors, states)}`;
    },
  });

  routes.ownAction({
    path: '/applications/:id/monitors/turn-on',
    async submit(view) {
      const application = await own(view);
      if (application.disabled_at !== null)
        throw new ServiceError('access_denied', 'The operator has disabled this application.');
      const monitors = await monitorsOf(db, application.id);
      const monitor = monitors.find((candidate) => candidate.id === view.form.get('monitor'));
      if (monitor) await deliveryLog.turnOn(monitor.id);
      return { goTo: `/applications/${application.id}/monitors/`, feedback: 'delivery_on' };
    },
  });

  routes.ownPage({
    path: '/applications/:id/deliveries',
    title: 'Deliveries',
    section,
    async view(view) {
      const application = await own(view);
      return html`${applicationHead(application, 'deliveries/')}
      ${deliveryTable(view.csrf, application, await withOutcomes(await attemptsOfApplication(db, application.id, shownLimit)))}`;
    },
  });

  routes.ownAction({
    path: '/applications/:id/deliveries/resend',
    async submit(view) {
      const application = await own(view);
      const eventId = view.form.get('event');
      const attempts = await attemptsOfApplication(db, application.id, shownLimit);
      const attempt = attempts.find((candidate) => candidate.event_id === eventId);
      const result = attempt ? await deliveryLog.resend(attempt.monitor_id, attempt.event_id) : 'unknown';
      if (result === 'unknown') throw new ServiceError('not_found', 'This event is no longer in the log.');
      if (result === 'busy')
        throw new ServiceError(
          'conflict',
          'This event is still being delivered. Wait until it has been delivered or has failed.',
        );
      return { goTo: `/applications/${application.id}/deliveries/`, feedback: 'event_resent' };
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

type AttemptLine = Awaited<ReturnType<typeof attemptsOfApplication>>[number];
type VerifiedLine = AttemptLine & { outcome: Outcome | undefined };

function monitorTable(
  csrf: string,
  { id }: Application,
  monitors: readonly MonitorLine[],
  states: ReadonlyMap<string, DeliveryState>,
): SafeHtml {
  if (monitors.length === 0) {
    return html`<section class="card empty">
      ${icon('bell')}
      <h2>No monitors yet</h2>
      <p>A monitor sends a callback to your server when rain comes near a place.</p>
      ${newMonitor(id)}
    </section>`;
  }
  return html`<div class="actions">${newMonitor(id)}</div>
    <div class="table" tabindex="0" role="region" aria-label="Monitors">
      <table>
        <thead>
          <tr>
            <th scope="col">Monitor</th>
            <th scope="col">Location</th>
            <th scope="col">Callback URL</th>
            <th scope="col">Last event</th>
            <th scope="col">Delivery</th>
            <th scope="col"><span class="visually-hidden">Actions</span></th>
          </tr>
        </thead>
        <tbody>
          ${monitors.map((monitor) => {
            const state = states.get(monitor.id);
            return html`<tr>
              <td>
                <a href="/applications/${id}/monitors/edit/?monitor=${monitor.id}"><code>${monitor.id}</code></a>
              </td>
              <td>${monitor.latitude}, ${monitor.longitude}</td>
              <td>${monitor.callback_uri}</td>
              <td>${state?.last_event_at ? timeText(parseTimestamp(state.last_event_at) ?? 0) : 'None'}</td>
              <td>
                ${state?.is_on === false ? turnOnForm(csrf, id, monitor.id, state) : html`<span class="chip good">on</span>`}
              </td>
              <td class="actions">
                ${monitorAction({ name: 'test', text: 'Test' }, { csrf, applicationId: id, monitorId: monitor.id })}
                ${monitorAction({ name: 'delete', text: 'Delete' }, { csrf, applicationId: id, monitorId: monitor.id })}
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
    ${monitors.length === shownLimit ? html`<p class="hint">Showing the ${shownLimit} newest monitors.</p>` : ''}`;
}

function newMonitor(applicationId: string): SafeHtml {
  return html`<a class="button primary" href="/applications/${applicationId}/monitors/edit/"
    >${icon('plus')} New monitor</a
  >`;
}

function turnOnForm(csrf: string, applicationId: string, monitorId: string, { off_reason }: DeliveryState): SafeHtml {
  return html`<form method="post" action="/applications/${applicationId}/monitors/turn-on/">
    <p><span class="chip bad">off</span> ${off_reason ?? ''}</p>
    ${hidden('csrf', csrf)} ${hidden('monitor', monitorId)}
    <button type="submit" aria-label="Turn on delivery for ${monitorId}">Turn on</button>
  </form>`;
}

function deliveryTable(csrf: string, { id }: Application, attempts: readonly VerifiedLine[]): SafeHtml {
  if (attempts.length === 0) {
    return html`<section class="card empty">
      ${icon('hook')}
      <h2>No deliveries yet</h2>
      <p>When it rains near a monitor, each delivery attempt appears here with your server's response.</p>
    </section>`;
  }
  return html`<div class="table" tabindex="0" role="region" aria-label="Deliveries">
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Monitor</th>
          <th scope="col">Event</th>
          <th scope="col" class="number">Attempt</th>
          <th scope="col">Result</th>
          <th scope="col" class="number">Duration</th>
          <th scope="col"><span class="visually-hidden">Resend</span></th>
        </tr>
      </thead>
      <tbody>
        ${attempts.map(
          (attempt) =>
            html`<tr>
              <td>${timeText(attempt.started_at)}</td>
              <td><code>${attempt.monitor_id}</code></td>
              <td><code>${attempt.event_id}</code></td>
              <td class="number">${attempt.attempt}</td>
              <td>
                <span class="chip ${attempt.error === null ? 'good' : 'bad'}">${formatFailure(attempt)}</span>
                ${attempt.kind === 'first' && attempt.outcome ? html`<p class="hint">${formatOutcome(attempt.outcome)}</p>` : ''}
              </td>
              <td class="number">${attempt.latency_ms} ms</td>
              <td>${isNewest(attempts, attempt) ? resendForm(csrf, id, attempt.event_id) : ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** One button for each event, however many attempts it had. */
function isNewest(attempts: readonly AttemptLine[], attempt: AttemptLine): boolean {
  return attempts.find((candidate) => candidate.event_id === attempt.event_id) === attempt;
}

function resendForm(csrf: string, applicationId: string, eventId: string): SafeHtml {
  return html`<form method="post" action="/applications/${applicationId}/deliveries/resend/">
    ${hidden('csrf', csrf)} ${hidden('event', eventId)}
    <button type="submit" aria-label="Resend event ${eventId}">Resend</button>
  </form>`;
}
