// Applications: the list, a new one, its credentials, editing and deleting it (§5.2, §7.3).
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Application, type ApplicationStore, versionOf } from '#service/accounts/application-store.ts';
import type { ContractStore } from '#service/accounts/contract-store.ts';
import { type Plan, planOf } from '#service/accounts/plans.ts';
import { StoreRefusal } from '#service/accounts/store-refusal.ts';
import { ServiceError } from '#service/http/service-error.ts';
import { FormError } from '../form-error.ts';
import { icon } from '../icons.ts';
import { initialOf } from '../initial.ts';
import { orWarn, type OwnView, type PageRoutes } from '../page-routes.ts';
import { readApplicationText } from './application-form.ts';
import { applicationPage, credentialsPage, newApplicationPage } from './application-views.ts';

type Needs = {
  plans: readonly Plan[];
  contracts: ContractStore;
  applications: ApplicationStore;
  /** Deletes what watches and calls on behalf of an application. */
  removeMonitors: (applicationId: string) => Promise<void>;
};

const section = '/applications/';

export function registerApplicationPages(routes: PageRoutes, needs: Needs): void {
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

function registerCreation(routes: PageRoutes, { plans, contracts, applications }: Needs): void {
  routes.ownForm({
    path: '/applications/new',
    title: 'New application',
    section,
    width: 'narrow',
    view: async (view) => newApplicationPage(view, plans, await contracts.listOf(view.account.id)),
    async submit({ account, form }) {
      const text = readApplicationText(form);
      const plan = await choosePlan(form.get('plan'), account.id);
      const kind = form.get('kind') ?? 'confidential';
      if (kind !== 'confidential' && kind !== 'public') throw new FormError('form_corrupted');
      if (form.get('terms') !== 'yes') {
        throw new FormError('terms_not_accepted', { terms: 'Read the terms and accept them to go on.' });
      }
      const contract = await orWarn('app_contract_failed', () => contracts.ensure(account.id, plan.id));
      const created = await orWarn('saving_failed', () =>
        applications.create({
          ...text,
          accountId: account.id,
          contractId: contract.id,
          isPublic: kind === 'public',
          allowsPassword: false,
        }),
      );
      return { show: credentialsPage({ name: text.name, ...created }), feedback: 'app_created' };
    },
  });

  /** One of the offered plans, or one that the account has a contract with. */
  async function choosePlan(chosen: string | undefined, accountId: string): Promise<Plan> {
    if (chosen === undefined) throw new FormError('plan_missing', { plan: 'Choose the plan it shall stand on.' });
    const own = await contracts.listOf(accountId);
    const plan = plans.find((candidate) => candidate.id === chosen);
    if (plan && (plan.isOffered || own.some((contract) => contract.plan === plan.id))) return plan;
    throw new FormError('form_corrupted');
  }
}

function registerEditing(routes: PageRoutes, { plans, applications, removeMonitors }: Needs): void {
  const own = ({ account, id }: OwnView) => ownApplication(applications, account.id, id);

  routes.ownForm({
    path: '/applications/:id',
    title: 'Application',
    section,
    async view(view) {
      const application = await own(view);
      return applicationPage(view, application, planOf(plans, application.plan));
    },
    async submit(view) {
      const application = await own(view);
      const text = readApplicationText(view.form);
      const version = view.form.get('version');
      if (version === undefined || !/^[0-9a-f]{16}$/.test(version)) throw new FormError('form_corrupted');
      if (version !== versionOf(application)) throw new FormError('saving_failed');
      await orWarn('saving_failed', () => edit(application, version, text));
      return { goTo: `/applications/${application.id}/`, feedback: 'app_edited' };
    },
  });

  async function edit(...parameters: Parameters<ApplicationStore['edit']>): Promise<void> {
    try {
      await applications.edit(...parameters);
    } catch (error) {
      // Somebody else was faster, between our look and our writing.
      if (error instanceof StoreRefusal) throw new FormError('saving_failed');
      throw error;
    }
  }

  routes.ownForm({
    path: '/applications/:id/secret',
    title: 'New client secret',
    section,
    async view(view) {
      const application = await own(view);
      return applicationPage(view, application, planOf(plans, application.plan));
    },
    async submit(view) {
      const application = await own(view);
      const secret = await refusedInWords(() => applications.renewSecret(application));
      return {
        show: credentialsPage({ ...application, clientId: application.client_id, clientSecret: secret }),
      };
    },
  });

  routes.ownAction({
    path: '/applications/:id/delete',
    async submit(view) {
      const application = await own(view);
      if (view.form.get('confirm') !== application.name) {
        throw new ServiceError('invalid_request', 'To delete an application, type its name exactly.');
      }
      await refusedInWords(async () => {
        if (application.is_sandbox === 1) throw new StoreRefusal('sandbox');
        await removeMonitors(application.id);
        await applications.remove(application);
      });
      return { goTo: '/applications/', feedback: 'app_deleted' };
    },
  });
}

/** Throws a 404 where the account has no such application, be it another's or nobody's. */
export async function ownApplication(
  applications: ApplicationStore,
  accountId: string,
  id: string,
): Promise<Application> {
  const application = await applications.find(accountId, id);
  if (application) return application;
  throw new ServiceError('not_found', 'You have no such application; it may have been deleted.');
}

async function refusedInWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreRefusal) throw new ServiceError('conflict', error.message);
    throw error;
  }
}

function applicationList(applications: readonly Application[], plans: readonly Plan[]): SafeHtml {
  const head = html`<div class="page-head">
    <div>
      <h1>Applications</h1>
      <p>Each has its own credentials, monitors and usage.</p>
    </div>
    <a class="button primary" href="/applications/new/">${icon('plus')} New application</a>
  </div>`;
  if (applications.length === 0) {
    return html`${head}
      <section class="card empty">
        ${icon('apps')}
        <h2>No application yet</h2>
        <p>Create one to get a client id and a client secret.</p>
        <a class="button primary" href="/applications/new/">Create an application</a>
      </section>`;
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
      ${application.disabled_at === null ? '' : html`<span class="chip bad">disabled by the operator</span>`}
    </span>
  </a>`;
}
