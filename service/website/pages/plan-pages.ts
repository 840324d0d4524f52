// Plans and contracts: an account subscribes to a plan with a contract, which its applications use.
import { plural } from '@rainbell/shared';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Contract } from '../../accounts/contract-store.ts';
import type { Plan } from '../../accounts/plans.ts';
import { showForm } from '../layout/fields.ts';
import { FormError } from '../layout/form-error.ts';
import { icon } from '../layout/icons.ts';
import { pageHead } from '../layout/page.ts';
import { orWarn, owned, type PageRoutes, type View } from '../layout/page-routes.ts';
import type { Website } from '../website.ts';
import { requireConfirmed } from './unconfirmed-email.ts';

export function registerPlanPages(routes: PageRoutes, { plans, contracts, mailer }: Website): void {
  routes.form({
    path: '/plans',
    title: 'Plans',
    async view(view) {
      const { account } = view.visitor;
      const own = account ? await contracts.listOf(account.id) : [];
      const isOwn = ({ id }: Plan) => own.some(({ plan }) => plan === id);
      return html`${pageHead('Plans', 'Every plan includes the whole API. Plans differ in their limits.')}
        <div class="columns">
          ${plans.filter((plan) => plan.isOffered || isOwn(plan)).map((plan) => planCard(view, plan, isOwn(plan)))}
        </div>`;
    },
    async submit(view) {
      const { account, form } = owned(view);
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

function planCard(view: View, plan: Plan, isOwn: boolean): SafeHtml {
  const button = `Choose ${plan.name}`;
  const look = plan.id === 'shower' ? 'primary' : '';
  return html`<section class="card plan">
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
        : view.visitor.account
          ? showForm(view, { action: '/plans/', hidden: { plan: plan.id }, button, look: `${look} wide` })
          : html`<a class="button ${look}" href="/sign-in/?to=/plans/">${button}</a>`
    }
  </section>`;
}

export function planOptions(plans: readonly Plan[], own: readonly Contract[]) {
  return plans.map((plan) => ({
    value: plan.id,
    text: `${plan.name} · ${plan.price}${own.some((contract) => contract.plan === plan.id) ? ' · your plan' : ''}`,
    hint: planFacts(plan).join(', '),
  }));
}
