// Usage of each application against its plan, and the same by email (docs/interface.md §7.3, §8).
import { dayMs } from '@rainbell/shared';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Application } from '../../accounts/application-store.ts';
import { type Plan, planOf } from '../../accounts/plans.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { countMonitors } from '../../monitors/monitor-store.ts';
import { countText, dayText } from '../layout/dates.ts';
import { showForm } from '../layout/fields.ts';
import { icon } from '../layout/icons.ts';
import { emptyCard, pageHead } from '../layout/page.ts';
import { orWarn, type OwnView, type PageRoutes } from '../layout/page-routes.ts';
import { table } from '../layout/table.ts';
import type { Website } from '../website.ts';
import { planFacts } from './plan-pages.ts';
import { requireConfirmed } from './unconfirmed-email.ts';

type Usage = { application: Application; plan: Plan; monitors: number; days: { day: number; requests: number }[] };

export function registerUsagePages(routes: PageRoutes, website: Website): void {
  const { clock, mailer } = website;
  const today = () => Math.floor(clock.now() / dayMs);
  routes.ownForm({
    path: '/usage',
    title: 'Usage',
    view: async (view) => usagePage(view, await usagesOf(website, view.account.id), today()),
    async submit({ account }) {
      requireConfirmed(mailer, account);
      const usages = await usagesOf(website, account.id);
      const result = await orWarn('saving_failed', () =>
        mailer.send({
          to: account.email,
          subject: 'Rainbell: your usage',
          text: usageText(usages, today()),
          whenLimited: 'drop',
        }),
      );
      if (result === 'limited') {
        const text = 'Each address gets at most 3 emails an hour; try again in an hour.';
        throw new ServiceError('rate_limited', text, { retryAfter: 3600 });
      }
      return { goTo: '/usage/', feedback: 'usage_sent' };
    },
  });
}

async function usagesOf({ db, plans, applications, usage }: Website, accountId: string): Promise<Usage[]> {
  const own = await applications.listOf(accountId);
  return Promise.all(
    own.map(async (application) => ({
      application,
      plan: planOf(plans, application.plan),
      monitors: await countMonitors(db, application.id),
      days: await usage.days(application.id),
    })),
  );
}

function requestsToday({ days }: Usage, today: number): number {
  return days.find(({ day }) => day === today)?.requests ?? 0;
}

/** "12 of 5,000", or "12 (no limit)" if `limit` is 0. */
function shareText(count: number, limit: number): string {
  return limit === 0 ? `${countText(count)} (no limit)` : `${countText(count)} of ${countText(limit)}`;
}

function usageText(usages: readonly Usage[], today: number): string {
  if (usages.length === 0) return 'You have no applications yet.\n';
  const parts = usages.map((usage) => {
    const { application, plan, monitors, days } = usage;
    const lines = days.map(({ day, requests }) => `  ${dayText(day * dayMs)}: ${countText(requests)}`);
    return [
      `${application.name} (${plan.name} plan)`,
      `  monitors: ${shareText(monitors, plan.monitors)}`,
      `  requests today: ${shareText(requestsToday(usage, today), plan.requestsPerDay)}`,
      ...(lines.length === 0 ? [] : ['  requests by day (UTC):', ...lines.map((line) => `  ${line}`)]),
    ].join('\n');
  });
  return `${parts.join('\n\n')}\n`;
}

function usagePage(view: OwnView, usages: readonly Usage[], today: number): SafeHtml {
  const button = html`${icon('mail')} Email usage to ${view.account.email}`;
  const emailForm = showForm(view, { action: '/usage/', button, look: '' });
  return html`${pageHead('Usage', 'Today and the last 30 days (UTC)', emailForm)}
  ${
    usages.length === 0
      ? emptyCard('chart', 'No usage yet', html`<p><a href="/applications/new/">Create an application</a> first.</p>`)
      : html`<div class="columns">${usages.map((usage) => usageCard(usage, today))}</div>`
  }`;
}

function usageCard(usage: Usage, today: number): SafeHtml {
  const { application, plan, monitors, days } = usage;
  return html`<section class="card">
    <h2><a href="/applications/${application.id}/">${application.name}</a></h2>
    <p><span class="chip accent">${plan.name}</span> <span class="muted">${planFacts(plan).join(', ')}</span></p>
    ${gauge('Requests today', requestsToday(usage, today), plan.requestsPerDay)}
    ${gauge('Monitors', monitors, plan.monitors)}
    ${days.length === 0 ? '' : html`${dayChart(days, today)} ${dayTable(days)}`}
  </section>`;
}

function gauge(label: string, value: number, limit: number): SafeHtml {
  const words = shareText(value, limit);
  return html`<p class="gauge">
    <span>${label}: <strong>${words}</strong></span>
    ${limit === 0 ? '' : html`<meter min="0" max="${limit}" high="${limit * 0.9}" value="${value}" aria-label="${label}: ${words}"></meter>`}
  </p>`;
}

const shownDays = 31;

/** A bar for each day, oldest first; the table has the numbers. */
function dayChart(days: Usage['days'], today: number): SafeHtml {
  const most = Math.max(...days.map(({ requests }) => requests), 1);
  const bars = days.map(({ day, requests }) => {
    const [left, height] = [shownDays - 1 - (today - day), (requests / most) * 60];
    return html`<rect x="${left * 10}" y="${64 - height}" width="8" height="${height}">
      <title>${dayText(day * dayMs)}: ${countText(requests)}</title>
    </rect>`;
  });
  return html`<figure>
    <svg
      class="bars"
      viewBox="0 0 ${shownDays * 10} 66"
      preserveAspectRatio="none"
      role="img"
      aria-label="Requests by day"
    >
      ${bars}
      <line x1="0" x2="${shownDays * 10}" y1="65" y2="65" />
    </svg>
    <figcaption class="hint">
      ${dayText((today - shownDays + 1) * dayMs)} to ${dayText(today * dayMs)}, at most ${countText(most)} a day
    </figcaption>
  </figure>`;
}

function dayTable(days: Usage['days']): SafeHtml {
  const rows = days.map(({ day, requests }) => [dayText(day * dayMs), countText(requests)]);
  return html`<details>
    <summary>By day</summary>
    ${table('Requests by day', ['Day (UTC)', 'Requests'], rows)}
  </details>`;
}
