// Applications: the list, a new one, its credentials, editing and deleting it (docs/interface.md §5.2, §7.3).
import { html, type SafeHtml } from '@remix-run/html-template';
import { descriptionProblem, nameProblem } from '../../accounts/account-rules.ts';
import type { Application, ApplicationText } from '../../accounts/application-store.ts';
import { type Plan, planOf } from '../../accounts/plans.ts';
import { redirectsProblem } from '../../accounts/redirect-rules.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Form } from '../../oauth/form-body.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';
import { icon } from '../layout/icons.ts';
import { emptyCard, pageHead } from '../layout/page.ts';
import { orWarn, type OwnView, type PageRoutes } from '../layout/page-routes.ts';
import { table } from '../layout/table.ts';
import type { Website } from '../website.ts';
import {
  applicationPage,
  credential,
  credentialsPage,
  disabledChip,
  newApplicationCard,
  secretNote,
  termsProblem,
} from './application-views.ts';
import { confirmFirst, isUnconfirmed, requireConfirmed } from './unconfirmed-email.ts';

export function registerApplicationPages(routes: PageRoutes, website: Website): void {
  const { plans, applications } = website;
  routes.ownPage({
    path: '/applications',
    title: 'Applications',
    view: async ({ account }) => applicationList(await applications.listOf(account.id), plans),
  });
  registerCreation(routes, website);
  registerEditing(routes, website);
}

function registerCreation(routes: PageRoutes, website: Website): void {
  const { plans, contracts, mailer } = website;
  routes.ownForm({
    path: '/applications/new',
    title: 'New application',
    async view(view) {
      if (isUnconfirmed(mailer, view.account)) return confirmFirst(view.account);
      return newApplicationCard(view, plans, await contracts.listOf(view.account.id));
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
      return createApplication(website, account.id, { text, plan, isPublic: kind === 'public' });
    },
  });

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

export async function createApplication(
  { contracts, applications, applicationLimit: limit, baseUrl }: Website,
  accountId: string,
  { text, plan, isPublic = false }: NewApplication,
) {
  await orWarn('app_contract_failed', () => contracts.ensure(accountId, plan.id));
  const requiresPkce = isPublic && text.requiresPkce;
  const created = await orWarn('saving_failed', () =>
    applications.create({ ...text, requiresPkce, accountId, plan: plan.id, isPublic, allowsPassword: false, limit }),
  );
  return { show: credentialsPage({ name: text.name, ...created }, baseUrl), feedback: 'app_created' } as const;
}

function registerEditing(routes: PageRoutes, { plans, applications, outcomeLog, baseUrl, secrets }: Website): void {
  const view = async (own: OwnView) => {
    const application = await routes.application(own);
    const verification = await outcomeLog.ofApplication(application.id);
    return applicationPage(own, application, planOf(plans, application.plan), verification);
  };

  routes.ownForm({
    path: '/applications/:id',
    title: 'Application',
    view,
    async submit(own) {
      const application = await routes.application(own);
      const text = readApplicationText(own.form);
      await orWarn('saving_failed', () => applications.edit(application.id, text));
      return { goTo: `/applications/${application.id}/`, feedback: 'app_edited' };
    },
  });

  routes.ownForm({
    path: '/applications/:id/secret',
    title: 'New client secret',
    view,
    async submit(own) {
      const application = await routes.application(own);
      const secret = await applications.renewSecret(application);
      const { client_id: clientId } = application;
      return { show: credentialsPage({ ...application, clientId, clientSecret: secret }, baseUrl) };
    },
  });

  routes.ownForm({
    path: '/applications/:id/webhook',
    title: 'New webhook secret',
    view,
    async submit(own) {
      const { id, name } = await routes.application(own);
      const note = 'For the next 24 hours, callbacks will also be signed with the old one.';
      return {
        show: {
          title: name,
          above: html`<h2>Webhook secret</h2>
            ${credential('webhook secret', await secrets.rotate(id))}
            ${secretNote(`Copy the secret now: it won't be shown again. ${note}`)}`,
          below: html`<a class="button primary" href="/applications/${id}/">Go to the application</a>`,
        },
      };
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
  const rows = applications.map((one) => [
    html`<a href="/applications/${one.id}/">${one.name}</a>
      <p>${one.description}</p>`,
    planOf(plans, one.plan).name,
    html`${one.is_public === 1 ? 'public' : 'confidential'}
    ${one.allows_password === 1 ? html`<span class="chip">password grant</span>` : ''}
    ${one.is_sandbox === 1 ? html`<span class="chip wait">sandbox</span>` : ''}
    ${one.disabled_at === null ? '' : disabledChip}`,
  ]);
  return html`${head} ${table('Applications', ['Application', 'Plan', 'Kind'], rows)}`;
}

export function readApplicationText(form: Form): ApplicationText {
  const name = form.get('name')?.trim() ?? '';
  const description = form.get('description')?.trim() ?? '';
  if (name === '' && description === '') throw new FormError('app_name_and_description_missing', missing);
  if (name === '') throw new FormError('app_name_missing', { name: missing.name });
  if (description === '') throw new FormError('app_description_missing', { description: missing.description });
  const redirectUris = readLines(form.get('redirect_uris') ?? '');
  refuseProblems('data_problem', {
    name: nameProblem(name),
    description: descriptionProblem(description),
    redirect_uris: redirectsProblem(redirectUris),
  });
  return { name, description, redirectUris, requiresPkce: form.get('require_pkce') === 'yes' };
}

const missing = {
  name: 'Enter a name for the application.',
  description: 'Describe the application in one sentence.',
};

function readLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
