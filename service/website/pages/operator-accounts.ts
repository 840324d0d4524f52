// Accounts and applications, for operators: searchable lists, and the operator's changes.
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Kysely, sql } from 'kysely';
import { type Account, comparable } from '#service/accounts/account-store.ts';
import type { AuditEntry } from '#service/accounts/audit-log.ts';
import type { Application } from '#service/accounts/application-store.ts';
import { planOf } from '#service/accounts/plans.ts';
import type { Tables } from '#service/database/tables.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import type { OAuth } from '#service/oauth/create-oauth.ts';
import { setAccountDisabled } from '#service/oauth/disable-account.ts';
import { countText, dayText } from '#service/website/layout/dates.ts';
import { checkBox, hidden, radioGroup, textField } from '#service/website/layout/fields.ts';
import { FormError } from '#service/website/layout/form-error.ts';
import type { OwnView } from '#service/website/layout/page-routes.ts';
import {
  operatorHead,
  type OperatorRoutes,
  pagedTable,
  passwordField,
  rowsOf,
  searchForm,
  searchOf,
  table,
} from './operator-frame.ts';

type Dependencies = { db: Kysely<Tables>; oauth: OAuth };

export function registerOperatorAccounts(routes: OperatorRoutes, { db, oauth }: Dependencies): void {
  routes.page({
    path: '/operator/accounts',
    title: 'Accounts',
    async view({ query }) {
      const rows = await listAccounts(db, query);
      return html`${operatorHead('accounts/', 'Accounts', 'Newest first')}
      ${searchForm('/operator/accounts/', query, 'Username or email address')}
      ${pagedTable({
        label: 'Accounts',
        path: '/operator/accounts/',
        query,
        rows,
        columns: [{ title: 'Username' }, { title: 'Email address' }, { title: 'Created' }, { title: 'Status' }],
        cells: (row) => [
          html`<a href="/operator/accounts/${row.id}/">${row.username}</a>`,
          row.email,
          dayText(Number(row.created_at)),
          accountChips(row),
        ],
        empty: { icon: 'user', title: 'No accounts found' },
      })}`;
    },
  });

  const accountOf = async (id: string) => found(await oauth.accounts.find(id), 'Account');
  routes.form({
    path: '/operator/accounts/:id',
    title: 'Account',
    view: async (view) => accountPage(view, await accountOf(view.id), await oauth.applications.listOf(view.id), oauth),
    async submit(view) {
      const account = await accountOf(view.id);
      const isDisabled = stateOf(view.form.get('state'));
      const limits = {
        application_limit: limitOf(view, 'applications'),
        monitor_limit: limitOf(view, 'monitors'),
      };
      if (isDisabled && account.id === view.account.id) {
        throw new FormError('data_problem', { state: 'You can’t disable your own account.' });
      }
      const entry = { ...byOperator(view), target: account.username };
      if (limits.application_limit !== account.application_limit || limits.monitor_limit !== account.monitor_limit) {
        const details = { applications: limits.application_limit, monitors: limits.monitor_limit };
        await oauth.auditLog.audited({ ...entry, action: 'account limits', details }, () =>
          oauth.accounts.setLimits(account.id, limits),
        );
      }
      if (isDisabled !== (account.disabled_at !== null)) {
        const action = isDisabled ? 'account disable' : 'account enable';
        await oauth.auditLog.audited({ ...entry, action }, () => setAccountDisabled(oauth, account.id, isDisabled));
      }
      return { goTo: `/operator/accounts/${account.id}/`, feedback: 'operator_saved' };
    },
  });

  routes.page({
    path: '/operator/applications',
    title: 'Applications',
    async view({ query }) {
      const rows = await listApplications(db, query);
      return html`${operatorHead('applications/', 'Applications', 'Newest first')}
      ${searchForm('/operator/applications/', query, 'Name, client ID, or owner')}
      ${pagedTable({
        label: 'Applications',
        path: '/operator/applications/',
        query,
        rows,
        columns: [
          { title: 'Name' },
          { title: 'Client ID' },
          { title: 'Owner' },
          { title: 'Plan' },
          { title: 'Status' },
        ],
        cells: (row) => [
          html`<a href="/operator/applications/${row.client_id}/">${row.name}</a>`,
          html`<code>${row.client_id}</code>`,
          html`<a href="/operator/accounts/${row.account_id}/">${row.username}</a>`,
          planOf(oauth.plans, row.plan).name,
          html`${stateChip(row.disabled_at)} ${row.is_sandbox === 1 ? html`<span class="chip wait">sandbox</span>` : ''}`,
        ],
        empty: { icon: 'apps', title: 'No applications found' },
      })}`;
    },
  });

  const applicationOf = async (clientId: string) =>
    found(await oauth.applications.findByClientId(clientId), 'Application');
  routes.form({
    path: '/operator/applications/:id',
    title: 'Application',
    async view(view) {
      const application = await applicationOf(view.id);
      return applicationPage(view, application, await usageOf(db, application), oauth);
    },
    async submit(view) {
      const application = await applicationOf(view.id);
      const isDisabled = stateOf(view.form.get('state'));
      const allowsPassword = view.form.get('password_grant') === 'yes';
      const entry = { ...byOperator(view), target: application.client_id };
      if (allowsPassword !== (application.allows_password === 1)) {
        const action = allowsPassword ? 'application authorize' : 'application deauthorize';
        await oauth.auditLog.audited({ ...entry, action }, () =>
          oauth.applications.allowPassword(application, allowsPassword),
        );
      }
      if (isDisabled !== (application.disabled_at !== null)) {
        const action = isDisabled ? 'application disable' : 'application enable';
        await oauth.auditLog.audited({ ...entry, action }, () =>
          oauth.applications.setDisabled(application, isDisabled),
        );
      }
      return { goTo: `/operator/applications/${application.client_id}/`, feedback: 'operator_saved' };
    },
  });
}

export function byOperator({ account }: OwnView): Pick<AuditEntry, 'via' | 'actor'> {
  return { via: 'website', actor: account.username };
}

function found<Thing>(thing: Thing | undefined, what: string): Thing {
  if (thing !== undefined) return thing;
  throw new ServiceError('not_found', `${what} not found. It may have been deleted.`);
}

function stateOf(state: string | undefined): boolean {
  if (state !== 'enabled' && state !== 'disabled') throw new FormError('form_corrupted');
  return state === 'disabled';
}

/** Null: as in the settings. */
function limitOf({ form }: OwnView, field: string): number | null {
  const text = (form.get(field) ?? '').trim();
  if (text === '') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new FormError('data_problem', { [field]: 'Enter a whole number, or leave this empty.' });
}

/** Escapes `%` and `_`. */
function pattern(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

function listAccounts(db: Kysely<Tables>, query: URLSearchParams) {
  const { limit, offset } = rowsOf(query);
  const search = pattern(comparable(searchOf(query)));
  return db
    .selectFrom('accounts')
    .select(['id', 'username', 'email', 'created_at', 'disabled_at', 'is_operator', 'email_confirmed_at'])
    .$if(searchOf(query) !== '', (accounts) =>
      accounts.where(
        sql<boolean>`(username_key like ${search} escape '\\' or lower(email) like ${search} escape '\\')`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
}

function listApplications(db: Kysely<Tables>, query: URLSearchParams) {
  const { limit, offset } = rowsOf(query);
  const text = searchOf(query);
  const search = pattern(text.toLowerCase());
  return db
    .selectFrom('applications')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .innerJoin('contracts', 'contracts.id', 'applications.contract_id')
    .select([
      'applications.client_id',
      'applications.name',
      'applications.account_id',
      'applications.disabled_at',
      'applications.is_sandbox',
      'accounts.username',
      'contracts.plan',
    ])
    .$if(text !== '', (applications) =>
      applications.where(
        sql<boolean>`(lower(applications.name) like ${search} escape '\\' or accounts.username_key like ${search} escape '\\' or applications.client_id = ${text})`,
      ),
    )
    .orderBy('applications.created_at', 'desc')
    .orderBy('applications.id')
    .limit(limit)
    .offset(offset)
    .execute();
}

async function usageOf(db: Kysely<Tables>, { id }: Application): Promise<{ monitors: number; requests: number }> {
  const { monitors } = await db
    .selectFrom('monitors')
    .select((select) => select.fn.countAll<number>().as('monitors'))
    .where('application_id', '=', id)
    .executeTakeFirstOrThrow();
  const newest = await db
    .selectFrom('usage')
    .select('requests')
    .where('application_id', '=', id)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { monitors: Number(monitors), requests: Number(newest?.requests ?? 0) };
}

function stateChip(disabledAt: number | null): SafeHtml {
  return disabledAt === null
    ? html`<span class="chip good">enabled</span>`
    : html`<span class="chip bad">disabled</span>`;
}

function accountChips({
  disabled_at,
  is_operator,
  email_confirmed_at,
}: Pick<Account, 'disabled_at' | 'is_operator' | 'email_confirmed_at'>): SafeHtml {
  return html`${stateChip(disabled_at)} ${is_operator === 1 ? html`<span class="chip accent">operator</span>` : ''}
  ${email_confirmed_at === null ? html`<span class="chip wait">not confirmed</span>` : ''}`;
}

function stateField(disabledAt: number | null, problems: OwnView['problems'], what: string): SafeHtml {
  return radioGroup({
    name: 'state',
    label: 'Status',
    value: disabledAt === null ? 'enabled' : 'disabled',
    problems,
    options: [
      { value: 'enabled', text: 'Enabled' },
      { value: 'disabled', text: 'Disabled', hint: what },
    ],
  });
}

function accountPage(
  { csrf, form, problems }: OwnView,
  account: Account,
  applications: readonly Application[],
  { plans, applicationLimitOf }: OAuth,
): SafeHtml {
  const shown = (field: string, stored: number | null) => form.get(field) ?? String(stored ?? '');
  return html`${operatorHead('accounts/', account.username, account.email)}
    <div class="split">
      <section class="card">
        <h2>Edit</h2>
        <form method="post" action="/operator/accounts/${account.id}/">
          ${hidden('csrf', csrf)}
          ${stateField(account.disabled_at, problems, 'Ends sessions, revokes tokens, and stops callbacks.')}
          ${textField({ name: 'applications', label: 'Maximum applications', value: shown('applications', account.application_limit), problems, isOptional: true, hint: 'Leave empty to use the default from the settings.' })}
          ${textField({ name: 'monitors', label: 'Maximum monitors', value: shown('monitors', account.monitor_limit), problems, isOptional: true, hint: 'Across all applications. Leave empty to use the default from the settings.' })}
          ${passwordField(problems)}
          <button class="primary" type="submit">Save changes</button>
        </form>
      </section>
      <section class="card">
        <h2>Account</h2>
        <dl class="facts">
          <dt>Status</dt>
          <dd>${accountChips(account)}</dd>
          <dt>Created</dt>
          <dd>${dayText(account.created_at)}</dd>
          <dt>Applications</dt>
          <dd>${applications.length} of ${countText(applicationLimitOf(account))}</dd>
        </dl>
      </section>
    </div>
    <h2 class="section-title">Applications</h2>
    ${table({
      label: 'Applications',
      rows: applications.slice(0, 200),
      columns: [{ title: 'Name' }, { title: 'Plan' }, { title: 'Status' }],
      cells: (one) => [
        html`<a href="/operator/applications/${one.client_id}/">${one.name}</a>`,
        planOf(plans, one.plan).name,
        stateChip(one.disabled_at),
      ],
      empty: { icon: 'apps', title: 'No applications yet' },
    })}`;
}

function applicationPage(
  { csrf, problems }: OwnView,
  application: Application,
  { monitors, requests }: { monitors: number; requests: number },
  { plans }: OAuth,
): SafeHtml {
  const plan = planOf(plans, application.plan);
  return html`${operatorHead('applications/', application.name, application.description === application.name ? '' : application.description)}
    <div class="split">
      <section class="card">
        <h2>Edit</h2>
        <form method="post" action="/operator/applications/${application.client_id}/">
          ${hidden('csrf', csrf)}
          ${stateField(application.disabled_at, problems, 'Revokes its tokens and stops its callbacks.')}
          ${checkBox({
            name: 'password_grant',
            label: 'Password grant',
            text: html`<strong>Allow <code>grant_type=password</code></strong>`,
            isChecked: application.allows_password === 1,
            problems,
          })}
          ${passwordField(problems)}
          <button class="primary" type="submit">Save changes</button>
        </form>
      </section>
      <section class="card">
        <h2>Application</h2>
        <dl class="facts">
          <dt>Owner</dt>
          <dd><a href="/operator/accounts/${application.account_id}/">${application.ownerName}</a></dd>
          <dt>Client ID</dt>
          <dd><code>${application.client_id}</code></dd>
          <dt>Plan</dt>
          <dd>${plan.name}</dd>
          <dt>Monitors</dt>
          <dd>${countText(monitors)} of ${countText(plan.monitors)}</dd>
          <dt>Requests on the last active day</dt>
          <dd>${countText(requests)}</dd>
          <dt>Created</dt>
          <dd>${dayText(application.created_at)}</dd>
        </dl>
      </section>
    </div>`;
}
