// State of the service, for operators: the queue of events, weather providers, limits, pending decisions, and the audit log.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Kysely } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import type { SandboxState } from '#contract/service-api/sandbox.ts';
import { parseTimestamp } from '#contract/service-api/timestamp.ts';
import type { ContractStore } from '#service/accounts/contract-store.ts';
import { type Plan, planOf } from '#service/accounts/plans.ts';
import type { Config } from '#service/config/config.ts';
import type { Tables } from '#service/database/tables.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import { busiestHosts, readQueue, readSweep } from '#service/delivery/queue/queue-status.ts';
import { contractDecidedMail } from '#service/mail/account-mails.ts';
import type { Mailer } from '#service/mail/mailer.ts';
import type { OAuth } from '#service/oauth/create-oauth.ts';
import { countText, timeText } from '#service/website/layout/dates.ts';
import { hidden, radioGroup } from '#service/website/layout/fields.ts';
import { FormError } from '#service/website/layout/form-error.ts';
import type { OwnView } from '#service/website/layout/page-routes.ts';
import { byOperator } from './operator-accounts.ts';
import { operatorHead, type OperatorRoutes, pagedTable, passwordField, rowsOf, table } from './operator-frame.ts';

/** Of this process. */
export type WeatherStatus = Pick<SandboxState, 'provider' | 'cache'> & {
  /** How long no provider is queried, and why; undefined if one is. */
  pause: { restMs: number; reason: string } | undefined;
  /** Requests left to the hosts that limit them, of all processes. */
  budgets: readonly { name: string; seconds: number; left: number }[];
};

export type StatusDependencies = {
  db: Kysely<Tables>;
  clock: Clock;
  oauth: OAuth;
  config: Pick<Config, 'accountApplications' | 'accountMonitors'>;
  contracts: ContractStore;
  mailer: Mailer;
  weatherStatus: () => Promise<WeatherStatus>;
};

const shownHosts = 20;
const shownIncidents = 50;

export function registerOperatorStatus(routes: OperatorRoutes, needs: StatusDependencies): void {
  const { db, clock, oauth } = needs;
  routes.page({
    path: '/operator',
    title: 'Queue',
    async view() {
      const now = clock.now();
      const [queue, sweep] = [await readQueue(db, now), await readSweep(db, now)];
      return html`${operatorHead('', 'Queue', 'Events that are waiting for a delivery attempt, across all processes.')}
        <section class="card">
          <dl class="facts">
            <dt>Waiting events</dt>
            <dd>${countText(queue.waiting)}</dd>
            <dt>Longest overdue</dt>
            <dd>${durationText(queue.oldestSeconds)}</dd>
            <dt>Watched cells</dt>
            <dd>${countText(sweep.cells)}</dd>
            <dt>Sweep lag</dt>
            <dd>${durationText(sweep.lagSeconds)}</dd>
          </dl>
        </section>
        <h2 class="section-title">Hosts with the most waiting events</h2>
        ${table({
          label: 'Hosts',
          rows: await busiestHosts(db, shownHosts),
          columns: [{ title: 'Host' }, { title: 'Waiting', isNumber: true }],
          cells: ({ host, waiting }) => [html`<code>${host}</code>`, countText(waiting)],
          empty: { icon: 'check', title: 'No events are waiting' },
        })}
        <h2 class="section-title">Applications with failing callbacks</h2>
        ${table({
          label: 'Incidents',
          rows: await openIncidents(db),
          columns: [{ title: 'Application' }, { title: 'Owner' }, { title: 'Since' }, { title: 'Emailed' }],
          cells: (one) => [
            html`<a href="/operator/applications/${one.client_id}/">${one.name}</a>`,
            html`<a href="/operator/accounts/${one.account_id}/">${one.username}</a>`,
            timeText(Number(one.began_at)),
            notificationTexts[one.told],
          ],
          empty: { icon: 'check', title: 'No callbacks are failing' },
        })}`;
    },
  });

  routes.page({
    path: '/operator/providers',
    title: 'Providers',
    view: async () => providersPage(await needs.weatherStatus()),
  });

  routes.page({
    path: '/operator/limits',
    title: 'Limits',
    view: async ({ query }) => limitsPage(needs, query),
  });

  const pendingContract = async (id: string) => {
    const contract = (await needs.contracts.list()).find((one) => one.id === id && one.state === 'pending');
    if (!contract)
      throw new ServiceError('not_found', 'This plan request does not exist, or it has already been decided.');
    return contract;
  };
  routes.form({
    path: '/operator/contracts/:id',
    title: 'Plan request',
    width: 'narrow',
    view: async (view) => contractPage(view, await pendingContract(view.id), oauth.plans),
    async submit(view) {
      const decision = view.form.get('decision');
      if (decision !== 'approve' && decision !== 'deny') {
        throw new FormError('data_problem', { decision: 'Choose whether to approve or deny the request.' });
      }
      const { username } = await pendingContract(view.id);
      const isApproved = decision === 'approve';
      const entry = { ...byOperator(view), action: `contract ${decision}`, target: view.id, details: { username } };
      const contract = await oauth.auditLog.audited(entry, () =>
        needs.contracts.decide(view.id, isApproved ? 'active' : 'denied'),
      );
      if (contract.email_confirmed_at !== null || contract.pending_email === null) {
        const { name } = planOf(oauth.plans, contract.plan);
        await needs.mailer.send(contractDecidedMail(contract, contract.email, name, isApproved));
      }
      return { goTo: '/operator/limits/', feedback: 'operator_saved' };
    },
  });

  routes.page({
    path: '/operator/audit',
    title: 'Audit log',
    async view({ query }) {
      const { limit, offset } = rowsOf(query);
      return html`${operatorHead('audit/', 'Audit log', 'Operator actions, newest first')}
      ${pagedTable({
        label: 'Audit log',
        path: '/operator/audit/',
        query,
        rows: await oauth.auditLog.list(limit, offset),
        columns: [
          { title: 'Time' },
          { title: 'Operator' },
          { title: 'Action' },
          { title: 'Target' },
          { title: 'Details' },
        ],
        cells: (row) => [
          timeText(Number(row.at)),
          html`${row.actor} <span class="chip">${row.via}</span>`,
          html`${row.action} ${row.outcome === 'failed' ? html`<span class="chip bad">failed</span>` : ''}`,
          html`<code>${row.target}</code>`,
          row.details === '{}' ? '' : html`<code>${row.details}</code>`,
        ],
        empty: { icon: 'book', title: 'No actions yet' },
      })}`;
    },
  });
}

const notificationTexts = { nothing: 'not yet', failing: 'failing', off: 'turned off' } as const;

function openIncidents(db: Kysely<Tables>) {
  return db
    .selectFrom('endpoint_incidents')
    .innerJoin('applications', 'applications.id', 'endpoint_incidents.application_id')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .select([
      'applications.client_id',
      'applications.name',
      'applications.account_id',
      'accounts.username',
      'endpoint_incidents.began_at',
      'endpoint_incidents.told',
    ])
    .where('endpoint_incidents.ended_at', 'is', null)
    .orderBy('endpoint_incidents.began_at')
    .limit(shownIncidents)
    .execute();
}

function durationText(seconds: number): string {
  if (seconds < 1) return '0 s';
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${countText(Math.round(seconds / 3600))} h`;
}

function providersPage({ provider, cache, pause, budgets }: WeatherStatus): SafeHtml {
  return html`${operatorHead('providers/', 'Providers', 'Status in the process that served this page.')}
    <section class="card">
      <dl class="facts">
        <dt>Selected provider</dt>
        <dd>${provider.choice}</dd>
        <dt>Last response from</dt>
        <dd>${provider.lastAnswered ?? 'none yet'}</dd>
        <dt>Status</dt>
        <dd>
          ${
            pause
              ? html`<span class="chip bad">paused</span> for ${durationText(pause.restMs / 1000)}: ${pause.reason}`
              : html`<span class="chip good">in use</span>`
          }
        </dd>
        <dt>Cells in memory</dt>
        <dd>${countText(cache.cells)}, ${countText(cache.hits)} hits, ${countText(cache.misses)} misses</dd>
      </dl>
    </section>
    <h2 class="section-title">Requests left across all processes</h2>
    ${table({
      label: 'Requests left',
      rows: budgets,
      columns: [{ title: 'Provider' }, { title: 'Limit' }, { title: 'Left', isNumber: true }],
      cells: ({ name, seconds, left }) => [
        name,
        windowTexts[seconds] ?? `per ${durationText(seconds)}`,
        countText(left),
      ],
      empty: { icon: 'check', title: 'No provider has a limit' },
    })}
    <h2 class="section-title">Latest failures</h2>
    ${table({
      label: 'Failures',
      rows: provider.lastErrors,
      columns: [{ title: 'Provider' }, { title: 'Time' }, { title: 'Reason' }],
      cells: ({ provider: name, at, message }) => [name, timeOr(at), message],
      empty: { icon: 'check', title: 'No failures' },
    })}`;
}

const windowTexts: Readonly<Record<number, string>> = { 60: 'this minute', 3_600: 'this hour', 86_400: 'today (UTC)' };

function timeOr(text: string): string {
  const instant = parseTimestamp(text);
  return instant === undefined ? text : timeText(instant);
}

async function limitsPage(needs: StatusDependencies, query: URLSearchParams): Promise<SafeHtml> {
  const { db, oauth, config, contracts } = needs;
  const { limit, offset } = rowsOf(query);
  const pending = (await contracts.list()).filter(({ state }) => state === 'pending').slice(0, 200);
  const own = await db
    .selectFrom('accounts')
    .select(['id', 'username', 'application_limit', 'monitor_limit'])
    .where((where) => where.or([where('application_limit', 'is not', null), where('monitor_limit', 'is not', null)]))
    .orderBy('username_key')
    .limit(limit)
    .offset(offset)
    .execute();
  const orSetting = (value: number | null, setting: number) =>
    value === null ? `${countText(setting)} (setting)` : countText(value);
  const orNone = (value: number) => (value === 0 ? 'none' : countText(value));
  return html`${operatorHead('limits/', 'Limits', 'Plans are defined in the settings. Accounts can have their own limits.')}
    <h2 class="section-title">Plan requests</h2>
    ${table({
      label: 'Plan requests',
      rows: pending,
      columns: [{ title: 'Account' }, { title: 'Plan' }, { title: 'Since' }],
      cells: (one) => [
        html`<a href="/operator/contracts/${one.id}/">${one.username}</a>`,
        planOf(oauth.plans, one.plan).name,
        timeText(Number(one.created_at)),
      ],
      empty: { icon: 'check', title: 'No plan requests' },
    })}
    <h2 class="section-title">Plans</h2>
    ${table({
      label: 'Plans',
      rows: oauth.plans,
      columns: [
        { title: 'Plan' },
        { title: 'Monitors', isNumber: true },
        { title: 'Requests per minute', isNumber: true },
        { title: 'Requests per day', isNumber: true },
      ],
      cells: (plan) => [
        plan.name,
        countText(plan.monitors),
        orNone(plan.requestsPerMinute),
        orNone(plan.requestsPerDay),
      ],
      empty: { icon: 'layers', title: 'No plans' },
    })}
    <h2 class="section-title">Accounts with their own limits</h2>
    ${pagedTable({
      label: 'Accounts with their own limits',
      path: '/operator/limits/',
      query,
      rows: own,
      columns: [{ title: 'Account' }, { title: 'Applications', isNumber: true }, { title: 'Monitors', isNumber: true }],
      cells: (one) => [
        html`<a href="/operator/accounts/${one.id}/">${one.username}</a>`,
        orSetting(one.application_limit, config.accountApplications),
        orSetting(one.monitor_limit, config.accountMonitors),
      ],
      empty: { icon: 'user', title: 'All accounts use the limits from the settings' },
    })}`;
}

function contractPage(
  { csrf, problems, form }: OwnView,
  { id, username, email, plan }: { id: string; username: string; email: string; plan: string },
  plans: readonly Plan[],
): SafeHtml {
  return html`<section class="card">
    <h1>${planOf(plans, plan).name} plan for ${username}</h1>
    <p class="muted">${email} will get an email with your decision.</p>
    <form method="post" action="/operator/contracts/${id}/">
      ${hidden('csrf', csrf)}
      ${radioGroup({
        name: 'decision',
        label: 'Decision',
        value: form.get('decision'),
        problems,
        options: [
          { value: 'approve', text: 'Approve' },
          { value: 'deny', text: 'Deny' },
        ],
      })}
      ${passwordField(problems)}
      <button class="primary wide" type="submit">Save decision</button>
    </form>
  </section>`;
}
