// Plans and contracts: an account subscribes to a plan with a contract, which its applications use.
import { plural } from '@rainbell/shared';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Contract, ContractStore } from '../../accounts/contract-store.ts';
import { type Plan, planOf } from '../../accounts/plans.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { dayText } from '../layout/dates.ts';
import { hidden, radioGroup } from '../layout/fields.ts';
import { FormError } from '../layout/form-error.ts';
import { icon } from '../layout/icons.ts';
import { pageHead } from '../layout/page.ts';
import { table } from '../layout/table.ts';
import { orWarn, type OwnView, type PageRoutes } from '../layout/page-routes.ts';
import { confirmFirst, isUnconfirmed, requireConfirmed } from './unconfirmed-email.ts';

type Dependencies = { plans: readonly Plan[]; contracts: ContractStore; mailer: Mailer };

export function registerPlanPages(routes: PageRoutes, { plans, contracts, mailer }: Dependencies): void {
  const offered = plans.filter((plan) => plan.isOffered);

  routes.page({
    path: '/plans',
    title: 'Plans',
    section: '/plans/',
    async view({ visitor, csrf }) {
      const own = visitor.account ? await contracts.listOf(visitor.account.id) : [];
      const add = html`<a class="button primary" href="/contracts/new/">${icon('plus')} New contract</a>`;
      const text = 'Every plan includes the whole API. Plans differ in their limits.';
      return html`${pageHead('Plans', text, visitor.account && add)}
        <div class="columns">
          ${offered.map((plan) =>
            planCard(
              plan,
              own.some((contract) => contract.plan === plan.id),
            ),
          )}
        </div>
        ${own.length === 0 ? '' : contractTable(own, plans, csrf)}`;
    },
  });

  routes.ownForm({
    path: '/contracts/new',
    title: 'New contract',
    section: '/plans/',
    width: 'narrow',
    async view(view) {
      const { account, csrf } = view;
      if (isUnconfirmed(mailer, account)) return confirmFirst(account, csrf, 'choose a plan and create an application');
      return contractForm(view, offered, await contracts.listOf(account.id));
    },
    async submit({ account, form }) {
      requireConfirmed(mailer, account);
      const chosen = form.get('plan');
      if (chosen === undefined) throw new FormError('plan_missing');
      const plan = plans.find((candidate) => candidate.id === chosen);
      if (!plan) throw new FormError('form_corrupted');
      // Only the operator assigns in-house contracts.
      if (!plan.isOffered) throw new FormError('contract_problem');
      await orWarn('contract_problem', () => contracts.create(account.id, plan.id));
      return { goTo: `/applications/new/?plan=${plan.id}`, feedback: 'contract_created' };
    },
  });

  routes.ownAction({
    path: '/contracts/:id/end',
    async submit({ account, id }) {
      await contracts.end(account.id, id);
      return { goTo: '/plans/', feedback: 'contract_ended' };
    },
  });
}

export function planFacts(plan: Plan): string[] {
  const perMinute =
    plan.requestsPerMinute === 0
      ? 'no limit on requests per minute'
      : plural(plan.requestsPerMinute, ['# request per minute', '# requests per minute']);
  const perDay =
    plan.requestsPerDay === 0
      ? 'no limit on requests per day'
      : plural(plan.requestsPerDay, ['# request per day', '# requests per day']);
  return [plural(plan.monitors, ['# monitor', '# monitors']), perMinute, perDay];
}

function planCard(plan: Plan, isOwn: boolean): SafeHtml {
  return html`<section class="card plan ${plan.id === 'shower' ? 'featured' : ''}">
    ${isOwn ? html`<span class="chip good">Your contract</span>` : ''}
    <h2>${plan.name}</h2>
    <p class="price">${plan.price}</p>
    <p class="muted">${plan.summary}</p>
    <ul>
      ${[...planFacts(plan), '72-hour forecast', 'Signed callbacks'].map((fact) => html`<li>${icon('check')}${fact}</li>`)}
    </ul>
    ${
      isOwn
        ? html`<a class="button" href="/applications/new/?plan=${plan.id}">Create an application</a>`
        : html`<a class="button ${plan.id === 'shower' ? 'primary' : ''}" href="/contracts/new/?plan=${plan.id}"
            >Choose ${plan.name}</a
          >`
    }
  </section>`;
}

function contractTable(own: readonly Contract[], plans: readonly Plan[], csrf: string): SafeHtml {
  const rows = own.map(({ id, plan, created_at }) => {
    const { name } = planOf(plans, plan);
    return [
      html`<strong>${name}</strong>`,
      dayText(created_at),
      html`<form method="post" action="/contracts/${id}/end/">
        ${hidden('csrf', csrf)}
        <button type="submit" aria-label="End the ${name} contract">End contract</button>
      </form>`,
    ];
  });
  return html`<h2 class="section-title">Your contracts</h2>
    ${table('Your contracts', ['Plan', 'Since', 'Action'], rows)}`;
}

/** The first one is free. */
export function planOptions(plans: readonly Plan[], own: readonly Contract[]) {
  return plans.map((plan) => ({
    value: plan.id,
    text: `${plan.name} · ${plan.price}${own.some((contract) => contract.plan === plan.id) ? ' · your plan' : ''}`,
    hint: planFacts(plan).join(', '),
  }));
}

function contractForm(
  { csrf, form, query, problems }: OwnView,
  offered: readonly Plan[],
  own: readonly Contract[],
): SafeHtml {
  return html`<section class="card">
    <h1>Choose a plan</h1>
    <p class="muted">A contract subscribes you to a plan. Each application uses one of your contracts.</p>
    <form method="post" action="/contracts/new/">
      ${hidden('csrf', csrf)}
      ${radioGroup({
        name: 'plan',
        label: 'Plan',
        value: form.get('plan') ?? query.get('plan') ?? offered[0]?.id,
        problems,
        options: planOptions(offered, own),
      })}
      <button class="primary wide" type="submit">Create contract</button>
    </form>
  </section>`;
}
