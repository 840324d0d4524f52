// The account of who is signed in: email address, password, and which applications may act in its name.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Kysely } from 'kysely';
import type { Account, AccountStore } from '#service/accounts/account-store.ts';
import { emailProblem, passwordProblem } from '#service/accounts/account-rules.ts';
import type { ApplicationStore } from '#service/accounts/application-store.ts';
import { StoreRefusal } from '#service/accounts/store-refusal.ts';
import type { Sessions } from '#service/accounts/sessions.ts';
import type { AttemptGuard } from '#service/accounts/throttle.ts';
import type { Tables } from '#service/database/tables.ts';
import { hashOf } from '#service/oauth/random-text.ts';
import type { TokenStore } from '#service/oauth/token-store.ts';
import { hidden, textField } from '../fields.ts';
import { FormError, refuseProblems } from '../form-error.ts';
import { orWarn, type OwnView, type PageRoutes } from '../page-routes.ts';
import { dayText } from '../dates.ts';

type Needs = {
  db: Kysely<Tables>;
  accounts: AccountStore;
  applications: ApplicationStore;
  sessions: Sessions;
  tokens: TokenStore;
  signInGuard: AttemptGuard;
};

export function registerAccountPages(routes: PageRoutes, needs: Needs): void {
  const { accounts, applications, sessions, tokens, signInGuard } = needs;
  const view = async (own: OwnView) => accountPage(own, await permissionsOf(needs.db, own.account.id));

  routes.ownForm({
    path: '/account',
    title: 'Your account',
    view,
    async submit({ account, form }) {
      const email = form.get('email')?.trim() ?? '';
      const version = form.get('version');
      if (version === undefined) throw new FormError('form_corrupted');
      refuseProblems('email_invalid', { email: emailProblem(email) });
      // Changed in another window in the meantime: what is typed here was meant for another address.
      if (version !== emailVersion(account)) throw new FormError('email_update_failed');
      await orWarn('email_update_failed', () => changeEmail(accounts, account, email));
      return { goTo: '/account/', feedback: 'email_changed' };
    },
  });

  routes.ownForm({
    path: '/account/password',
    title: 'Your account',
    view,
    async submit({ account, visitor, form }, { request }) {
      const [current, next] = [form.get('current_password') ?? '', form.get('new_password') ?? ''];
      if (current === '' || next === '') throw new FormError('credentials_missing');
      refuseProblems('data_problem', { new_password: passwordProblem(next) });
      const own = await applications.listOf(account.id);
      if (own.some((application) => application.is_sandbox === 1)) {
        throw new FormError('data_problem', { new_password: 'The sandbox account keeps its password.' });
      }
      signInGuard.check(request.ip, account.username_key);
      if (!(await orWarn('saving_failed', () => accounts.changePassword(account.id, current, next)))) {
        signInGuard.failed(request.ip, account.username_key);
        throw new FormError('credentials_wrong', { current_password: 'This is not your current password.' });
      }
      await sessions.endAll(account.id, visitor.sessionId);
      await tokens.revoke({ accountId: account.id });
      return { goTo: '/account/', feedback: 'password_changed' };
    },
  });

  routes.ownAction({
    path: '/account/permissions/:id/withdraw',
    async submit({ account, id }) {
      const own = (await permissionsOf(needs.db, account.id)).filter((permission) => permission.applicationId === id);
      for (const { grantId } of own) await tokens.revoke({ grantId });
      return { goTo: '/account/', feedback: 'permission_withdrawn' };
    },
  });
}

async function changeEmail(accounts: AccountStore, account: Account, email: string): Promise<void> {
  try {
    await accounts.changeEmail(account.id, account.email, email);
  } catch (error) {
    if (error instanceof StoreRefusal && error.kind === 'email_taken') throw new FormError('email_taken');
    if (error instanceof StoreRefusal) throw new FormError('email_update_failed');
    throw error;
  }
}

function emailVersion(account: Account): string {
  return hashOf(account.email).slice(0, 16);
}

type Permission = { grantId: string; applicationId: string; name: string; scope: string; since: number };

async function permissionsOf(db: Kysely<Tables>, accountId: string): Promise<Permission[]> {
  return db
    .selectFrom('grants')
    .innerJoin('applications', 'applications.id', 'grants.application_id')
    .select([
      'grants.id as grantId',
      'grants.application_id as applicationId',
      'applications.name',
      'grants.scope',
      'grants.created_at as since',
    ])
    .where('grants.account_id', '=', accountId)
    .where('grants.revoked_at', 'is', null)
    .orderBy('grants.created_at', 'desc')
    .execute();
}

function accountPage({ account, csrf, form, problems }: OwnView, permissions: readonly Permission[]): SafeHtml {
  const newestByApplication = new Map(
    permissions.toReversed().map((permission) => [permission.applicationId, permission]),
  );
  return html`<div class="page-head">
      <div>
        <h1>Your account</h1>
        <p>${account.username}, since ${dayText(account.created_at)}</p>
      </div>
      ${account.is_operator === 1 ? html`<a class="button" href="/operator/">Operator's outbox</a>` : ''}
    </div>
    <div class="columns">
      <section class="card">
        <h2>Email address</h2>
        <form method="post" action="/account/">
          ${hidden('csrf', csrf)} ${hidden('version', emailVersion(account))}
          ${textField({
            name: 'email',
            label: 'Email address',
            type: 'email',
            autocomplete: 'email',
            value: form.get('email') ?? account.email,
            problems,
          })}
          <button class="primary" type="submit">Change email address</button>
        </form>
      </section>
      <section class="card">
        <h2>Password</h2>
        <form method="post" action="/account/password/">
          ${hidden('csrf', csrf)} ${hidden('username', account.username)}
          ${textField({ name: 'current_password', label: 'Current password', type: 'password', autocomplete: 'current-password', problems })}
          ${textField({ name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password', problems })}
          <button class="primary" type="submit">Change password</button>
        </form>
      </section>
    </div>
    <h2 class="section-title">Applications that may act in your name</h2>
    ${
      newestByApplication.size === 0
        ? html`<section class="card">
            <p class="muted">None. When you allow one in the authorization dialog, it stands here.</p>
          </section>`
        : html`<div class="table">
            <table>
              <thead>
                <tr>
                  <th scope="col">Application</th>
                  <th scope="col">May</th>
                  <th scope="col">Since</th>
                  <th scope="col"><span class="visually-hidden">Withdraw</span></th>
                </tr>
              </thead>
              <tbody>
                ${[...newestByApplication.values()].map((permission) => permissionRow(permission, csrf))}
              </tbody>
            </table>
          </div>`
    }`;
}

function permissionRow({ applicationId, name, scope, since }: Permission, csrf: string): SafeHtml {
  return html`<tr>
    <td><strong>${name}</strong></td>
    <td>${scope === '' ? 'see the weather' : html`<code>${scope}</code>`}</td>
    <td>${dayText(since)}</td>
    <td>
      <form method="post" action="/account/permissions/${applicationId}/withdraw/">
        ${hidden('csrf', csrf)}
        <button class="danger" type="submit" aria-label="Withdraw the permission of ${name}">Withdraw</button>
      </form>
    </td>
  </tr>`;
}
