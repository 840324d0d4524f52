// Applications: the list, a new one, its credentials, editing and deleting it (docs/interface.md §5.2, §7.3).
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Clock } from '@rainbell/shared';
import {
  type Application,
  type ApplicationStore,
  type ApplicationText,
  versionOf,
} from '../../accounts/application-store.ts';
import type { ContractStore } from '../../accounts/contract-store.ts';
import { type Plan, planOf } from '../../accounts/plans.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { OutcomeLog } from '../../verification/outcome-log.ts';
import { FormError } from '../layout/form-error.ts';
import { icon } from '../layout/icons.ts';
import { initialOf } from '../layout/foreign.ts';
import { emptyCard, pageHead } from '../layout/page.ts';
import { orWarn, type OwnView, type PageRoutes } from '../layout/page-routes.ts';
import { readApplicationText } from './application-form.ts';
import {
  applicationPage,
  credentialsPage,
  disabledChip,
  newApplicationPage,
  termsProblem,
} from './application-views.ts';
import { confirmFirst, isUnconfirmed, requireConfirmed } from './unconfirmed-email.ts';

export type CreationNeeds = {
  contracts: ContractStore;
  applications: ApplicationStore;
  applicationLimit: number;
  baseUrl: string;
};

type Dependencies = CreationNeeds & {
  plans: readonly Plan[];
  mailer: Pick<Mailer, 'isSending'>;
  clock: Clock;
  outcomeLog: Pick<OutcomeLog, 'ofApplication'>;
};

const section = '/applications/';

export function registerApplicationPages(routes: PageRoutes, needs: Dependencies): void {
  const { plans, applications } = needs;
  routes.ownPage({
    path: '/applications',
    title: 'Applications',
    section,
    view: async ({ account }) => applicationList(await applications.listOf(account.id), plans),
  });
  registerCreation(routes, needs);
  registerEditing(routes, needs);
}

function registerCreation(routes: PageRoutes, needs: Dependencies): void {
  const { plans, contracts, applications, mailer, applicationLimit: limit } = needs;
  routes.ownForm({
    path: '/applications/new',
    title: 'New application',
    section,
    width: 'narrow',
    async view(view) {
      if (isUnconfirmed(mailer, view.account)) return confirmFirst(view.account, view.csrf, 'create an application');
      if ((await applications.countOf(view.account.id)) >= limit) return fullPage(limit);
      return newApplicationPage(view, plans, await contracts.listOf(view.account.id));
    },
    async submit({ account, form }) {
      requireConfirmed(mailer, account);
      const text = readApplicationText(form);
      const plan = await choosePlan(form.get('plan'), account.id);
      const kind = form.get('kind') ?? 'confidential';
      if (kind !== 'confidential' && kind !== 'public') throw new FormError('form_corrupted');
      if (form.get('terms') !== 'yes') {
        throw new FormError('terms_not_accepted', { terms: termsProblem });
      }
      return createApplication(needs, account.id, { text, plan, isPublic: kind === 'public' });
    },
  });

  /** Returns one of the offered plans, or one that the account has a contract with. */
  async function choosePlan(chosen: string | undefined, accountId: string): Promise<Plan> {
    if (chosen === undefined) throw new FormError('plan_missing', { plan: 'Choose a plan for the application.' });
    const own = await contracts.listOf(accountId);
    const plan = plans.find((candidate) => candidate.id === chosen);
    const isOwn = own.some((contract) => contract.plan === chosen);
    if (!plan || !(plan.isOffered || isOwn)) throw new FormError('form_corrupted');
    return plan;
  }
}

type NewApplication = { text: ApplicationText; plan: Plan; isPublic?: boolean };

/** Returns the page with its credentials. */
export async function createApplication(
  { contracts, applications, applicationLimit: limit, baseUrl }: CreationNeeds,
  accountId: string,
  { text, plan, isPublic = false }: NewApplication,
) {
  const { id: contractId } = await orWarn('app_contract_failed', () => contracts.ensure(accountId, plan.id));
  const requiresPkce = isPublic && text.requiresPkce;
  const created = await orWarn('saving_failed', () =>
    applications.create({ ...text, requiresPkce, accountId, contractId, isPublic, allowsPassword: false, limit }),
  );
  return { show: credentialsPage({ name: text.name, ...created }, baseUrl), feedback: 'app_created' } as const;
}

function registerEditing(routes: PageRoutes, { plans, applications, outcomeLog, baseUrl }: Dependencies): void {
  const showPage = async (view: OwnView, application: Application) => {
    const verification = await outcomeLog.ofApplication(application.id);
    return applicationPage(view, application, planOf(plans, application.plan), verification);
  };

  routes.ownForm({
    path: '/applications/:id',
    title: 'Application',
    section,
    async view(view) {
      const application = await routes.application(view);
      return showPage(view, application);
    },
    async submit(view) {
      const application = await routes.application(view);
      const text = readApplicationText(view.form);
      const version = view.form.get('version');
      if (version === undefined || !/^[0-9a-f]{16}$/.test(version)) throw new FormError('form_corrupted');
      if (version !== versionOf(application)) throw new FormError('saving_failed');
      await orWarn('saving_failed', () => applications.edit(application, version, text));
      return { goTo: `/applications/${application.id}/`, feedback: 'app_edited' };
    },
  });

  routes.ownForm({
    path: '/applications/:id/secret',
    title: 'New client secret',
    section,
    async view(view) {
      const application = await routes.application(view);
      return showPage(view, application);
    },
    async submit(view) {
      const application = await routes.application(view);
      const secret = await applications.renewSecret(application);
      const { client_id: clientId } = application;
      return { show: credentialsPage({ ...application, clientId, clientSecret: secret }, baseUrl) };
    },
  });

  routes.ownAction({
    path: '/applications/:id/delete',
    async submit(view) {
      const application = await routes.application(view);
      if (view.form.get('confirm') !== application.name) {
        throw new ServiceError('invalid_request', 'To delete an application, type its name exactly.');
      }
      await applications.remove(application);
      return { goTo: '/applications/', feedback: 'app_deleted' };
    },
  });
}

function fullPage(limit: number): SafeHtml {
  return html`<section class="card empty">
    ${icon('apps')}
    <h1>Application limit reached</h1>
    <p>
      This account has reached its application limit (${limit}). Delete an application, or ask the operator for a higher
      limit.
    </p>
    <div class="actions">
      <a class="button" href="/applications/">Applications</a>
      <a class="button" href="/contact/">Contact the operator</a>
    </div>
  </section>`;
}

function applicationList(applications: readonly Application[], plans: readonly Plan[]): SafeHtml {
  const head = pageHead(
    'Applications',
    'Each application has its own credentials, monitors, and usage.',
    html`<a class="button primary" href="/applications/new/">${icon('plus')} New application</a>`,
  );
  if (applications.length === 0) {
    const content = html`<p>Create one to get a client ID and a client secret.</p>
      <a class="button primary" href="/applications/new/">Create an application</a>`;
    return html`${head} ${emptyCard('apps', 'No applications yet', content)}`;
  }
  return html`${head}
    <ul class="apps">
      ${applications.map((application) => html`<li>${card(application, planOf(plans, application.plan))}</li>`)}
    </ul>`;
}

function card(application: Application, plan: Plan): SafeHtml {
  return html`<a class="card app" href="/applications/${application.id}/">
    <span class="top-line"
      ><span class="initial" aria-hidden="true">${initialOf(application.name)}</span>
      <h2>${application.name}</h2></span
    >
    <p>${application.description}</p>
    <span class="chips">
      <span class="chip accent">${plan.name}</span>
      <span class="chip">${application.is_public === 1 ? 'public' : 'confidential'}</span>
      ${application.allows_password === 1 ? html`<span class="chip">password grant</span>` : ''}
      ${application.is_sandbox === 1 ? html`<span class="chip wait">sandbox</span>` : ''}
      ${application.disabled_at === null ? '' : disabledChip}
    </span>
  </a>`;
}
