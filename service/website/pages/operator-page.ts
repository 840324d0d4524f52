// The pages for operators, read-only: the queue of events, failing callbacks, weather providers, and how often events were right; and
// the record of events of any customer's monitor.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../accounts/account-store.ts';
import type { Db } from '../../database/tables.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { readQueue } from '../../monitors/delivery/outbox.ts';
import { readSweep } from '../../monitors/sweep/watched-cells.ts';
import { estimateShare } from '../../verification/estimates.ts';
import type { SourceOutcomes } from '../../verification/outcome-log.ts';
import { countText, instantText, timeText } from '../layout/dates.ts';
import { pageHead } from '../layout/page.ts';
import type { PageRoutes } from '../layout/page-routes.ts';
import { missingPage } from '../layout/site.ts';
import { type Cells, facts, table } from '../layout/table.ts';
import type { WeatherStatus, Website } from '../website.ts';
import { eventDetails, eventList, filterForm, filterOf, pageSize } from './event-pages.ts';

const shownIncidents = 50;

export function registerOperatorPages(routes: PageRoutes, website: Website): void {
  routes.ownPage({
    path: '/operator',
    title: 'Status',
    async view({ account }) {
      checkOperator(account);
      return statusPage(website);
    },
  });

  routes.ownPage({
    path: eventsPath.slice(0, -1),
    title: 'Events of a monitor',
    hasScript: true,
    async view({ account, query }) {
      checkOperator(account);
      const text =
        'Of any customer, by ID, without URLs, bodies, and responses, which may contain secrets. Each look is logged.';
      return html`${pageHead('Events of a monitor', text)} ${await monitorEvents(website, account, query)}`;
    },
  });
}

const eventsPath = '/operator/events/';

/** For everyone else, the page does not exist. */
function checkOperator(account: Account): void {
  if (account.is_operator !== 1) throw missingPage();
}

async function monitorEvents(
  { records, nameMonitors, log }: Website,
  account: Account,
  query: URLSearchParams,
): Promise<SafeHtml> {
  const filter = filterOf(query);
  const id = query.get('event') ?? undefined;
  if (filter.monitor === undefined && id === undefined) return filterForm(eventsPath, query);
  const page = await records.page({ ...filter, id, limit: pageSize });
  const [event] = page.objects;
  const target = filter.monitor ?? event?.monitor_id;
  log.info({ actor: account.username, action: 'events list', target, event: id }, 'operator command');
  const shared = { path: eventsPath, names: await nameMonitors(target === undefined ? [] : [target]) };
  if (id === undefined) return eventList({ ...shared, query, page });
  if (!event) throw new ServiceError('not_found', 'This event is not in the record, which has 30 days.');
  const attempts = event.attempts.map((attempt) => ({ ...attempt, request: null }));
  return eventDetails({ ...shared, event: { ...event, attempts } });
}

async function statusPage({ db, clock, weatherStatus, outcomeLog }: Website): Promise<SafeHtml> {
  const now = clock.now();
  const [queue, sweep, weather] = [await readQueue(db, now), await readSweep(db, now), await weatherStatus()];
  const text =
    "Queue, failing callbacks, and accuracy of all processes; the provider's state of the process that served this page.";
  return html`${pageHead('Status', text, html`<a class="button" href="${eventsPath}">Events of a monitor</a>`)}
    <section class="card">
      ${facts([
        ['Waiting events', countText(queue.waiting)],
        ['Longest overdue', durationText(queue.oldestSeconds)],
        ['Watched cells', countText(sweep.cells)],
        ['Sweep lag', durationText(sweep.lagSeconds)],
        ['Interval', weather.interval ?? 'not limited by a quota'],
        ['Selected provider', weather.provider.choice],
        ['Last response from', weather.provider.lastAnswered ?? 'none yet'],
        ['Providers', stateOf(weather)],
        [
          'Cells in memory',
          `${countText(weather.cache.cells)}, ${countText(weather.cache.hits)} hits, ${countText(weather.cache.misses)} misses`,
        ],
      ])}
    </section>
    ${section({
      title: 'Applications with failing callbacks',
      rows: await openIncidents(db),
      columns: ['Application', 'Client ID', 'Owner', 'Since', 'Emailed'],
      cells: (one) => [
        one.name,
        html`<code>${one.client_id}</code>`,
        one.username,
        timeText(Number(one.began_at)),
        notificationTexts[one.told],
      ],
      empty: 'No callbacks are failing.',
    })}
    ${section({
      title: 'Requests left to providers',
      rows: weather.budgets,
      columns: ['Provider', 'Limit', 'Left'],
      cells: ({ name, seconds, left }) => [
        name,
        windowTexts[seconds] ?? `per ${durationText(seconds)}`,
        countText(left),
      ],
      empty: 'No provider has a limit.',
    })}
    ${section({
      title: 'Latest failures of providers',
      rows: weather.provider.lastErrors,
      columns: ['Provider', 'Time', 'Reason'],
      cells: ({ provider: name, at, message }) => [name, instantText(at), message],
      empty: 'No failures.',
    })}
    ${section({
      title: 'Accuracy in the last 30 days',
      rows: await outcomeLog.bySource(),
      columns: [
        'Source',
        'Country',
        'Confirmed',
        'Not confirmed',
        'No evidence',
        'Missed',
        'False alarms',
        'At starts',
      ],
      cells: (row) => [
        row.source === '' ? 'No event' : row.source,
        row.region === '' ? 'Unknown' : row.region,
        countText(row.confirmed),
        countText(row.not_confirmed),
        countText(row.no_evidence),
        countText(row.missed),
        falseAlarmText(row),
        row.onsets ? falseAlarmText(row.onsets) : '',
      ],
      empty: 'No events compared yet.',
    })}`;
}

const notificationTexts = { nothing: 'not yet', failing: 'failing', off: 'turned off' } as const;
const windowTexts: Readonly<Record<number, string>> = { 60: 'this minute', 3_600: 'this hour', 86_400: 'today (UTC)' };

function stateOf({ pause }: WeatherStatus): SafeHtml {
  return pause
    ? html`<span class="chip bad">paused</span> for ${durationText(pause.restMs / 1000)}: ${pause.reason}`
    : html`<span class="chip good">in use</span>`;
}

function openIncidents(db: Db) {
  return db
    .selectFrom('endpoint_incidents')
    .innerJoin('applications', 'applications.id', 'endpoint_incidents.application_id')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .select([
      'applications.client_id',
      'applications.name',
      'accounts.username',
      'endpoint_incidents.began_at',
      'endpoint_incidents.told',
    ])
    .where('endpoint_incidents.ended_at', 'is', null)
    .orderBy('endpoint_incidents.began_at')
    .limit(shownIncidents)
    .execute();
}

type Section<Row> = {
  title: string;
  columns: readonly string[];
  rows: readonly Row[];
  cells: (row: Row) => Cells;
  empty: string;
};

function section<Row>({ title, columns, rows, cells, empty }: Section<Row>): SafeHtml {
  return html`<h2 class="section-title">${title}</h2>
    ${rows.length === 0 ? html`<p class="muted">${empty}</p>` : table(title, columns, rows.map(cells))}`;
}

function durationText(seconds: number): string {
  if (seconds < 1) return '0 s';
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${countText(Math.round(seconds / 3600))} h`;
}

/** The false alarm ratio with its 95% interval. */
function falseAlarmText(outcomes: Pick<SourceOutcomes, 'confirmed' | 'not_confirmed'>): string {
  const far = estimateShare(outcomes.not_confirmed, outcomes.confirmed + outcomes.not_confirmed);
  const percent = (share: number) => Math.round(share * 100);
  return far ? `${percent(far.value)}% (${percent(far.low)} to ${percent(far.high)})` : '';
}
