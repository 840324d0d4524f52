// The signed-in user's account: email address, password, and the applications that may act for it.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Kysely } from 'kysely';
import type { Account, AccountStore } from '../../accounts/account-store.ts';
import { emailProblem, passwordProblem } from '../../accounts/account-rules.ts';
import type { ApplicationStore } from '../../accounts/application-store.ts';
import { StoreRefusal } from '../../accounts/store-refusal.ts';
import type { Fleet } from '../../limits/limiter.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import type { Tables } from '../../database/tables.ts';
import { accountDeletedMail, emailChangeRequestedMail, passwordChangedMail } from '../../mail/account-mails.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { hashOf } from '../../secrets/random-text.ts';
import type { TokenStore } from '../../oauth/token-store.ts';
import { checkBox, hidden, textField } from '../layout/fields.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';
import { pageHead } from '../layout/page.ts';
import { orWarn, type OwnView, type PageRoutes } from '../layout/page-routes.ts';
import { dayText } from '../layout/dates.ts';
import { type Cells, table } from '../layout/table.ts';
import type { Visitors } from '../layout/visitor.ts';
import { icon } from '../layout/icons.ts';
import { isUnconfirmed, sendConfirmation, type TakenGuard } from './unconfirmed-email.ts';

type Dependencies = {
  fleet?: Fleet;
  db: Kysely<Tables>;
  accounts: AccountStore;
  applications: ApplicationStore;
  tokens: TokenStore;
  signIn: SignIn;
  mailer: Mailer;
  visitors: Pick<Visitors, 'signOut'>;
  removeAccount: (accountId: string) => Promise<Account>;
  countTaken: TakenGuard;
};

/** One account could otherwise mail links to any number of other people's addresses. */
const linkLimit = { name: 'link', max: 30, windowSeconds: 600 };

export function registerAccountPages(routes: PageRoutes, needs: Dependencies): void {
  const { accounts, applications, tokens, signIn, mailer } = needs;
  const countLink = createCountGuard(needs.fleet, linkLimit, 'requests for confirmation links');
  const view = async (own: OwnView) => accountPage(own, await permissionsOf(needs.db, own.account.id), mailer);

  routes.ownForm({
    path: '/account',
    title: 'Your account',
    view,
    async submit({ account, form }, { request }) {
      const email = form.get('email')?.trim() ?? '';
      const version = form.get('version');
      if (version === undefined) throw new FormError('form_corrupted');
      refuseProblems('email_invalid', { email: emailProblem(email) });
      // Changed in another window meanwhile: the input was meant for another address.
      if (version !== emailVersion(account)) throw new FormError('email_update_failed');
      await requirePassword(signIn, account, form.get('password'), 'password', request.ip);
      if (mailer.isSending) await countLink(request.ip);
      await orWarn('email_update_failed', () => changeEmail(needs, account, email, request.ip));
      return { goTo: '/account/', feedback: mailer.isSending ? 'email_link_sent' : 'email_changed' };
    },
  });

  routes.ownAction({
    path: '/account/confirmation',
    async submit({ account }, { request }) {
      const isWaiting = account.pending_email !== null || account.email_confirmed_at === null;
      if (!mailer.isSending || !isWaiting) return { goTo: '/account/' };
      await countLink(request.ip);
      await sendConfirmation(needs, account);
      return { goTo: '/account/', feedback: 'email_link_sent' };
    },
  });

  routes.ownAction({
    path: '/account/confirmation/cancel',
    async submit({ account }) {
      if (account.email_confirmed_at === null) return { goTo: '/account/' };
      await accounts.setPendingEmail(account.id, account.email, null);
      return { goTo: '/account/', feedback: 'email_change_canceled' };
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
        throw new FormError('data_problem', { new_password: "The sandbox account's password can't be changed." });
      }
      const from = { address: request.ip, name: account.username_key };
      await requirePassword(signIn, account, current, 'current_password', request.ip);
      const change = { request: from, keptSessionId: visitor.sessionId };
      await orWarn('saving_failed', () => accounts.setPassword(account.id, next, change));
      if (!isUnconfirmed(mailer, account)) await mailer.send(passwordChangedMail(account, account.email));
      return { goTo: '/account/', feedback: 'password_changed' };
    },
  });

  routes.ownAction({
    path: '/account/notifications',
    async submit({ account, form }) {
      await accounts.setEndpointMails(account.id, form.get('endpoint_mails') === 'yes');
      return { goTo: '/account/', feedback: 'notifications_saved' };
    },
  });

  routes.ownForm({
    path: '/account/delete',
    title: 'Your account',
    view,
    async submit({ account, visitor, form }, { request, reply }) {
      await requirePassword(signIn, account, form.get('delete_password'), 'delete_password', request.ip);
      await orWarn('saving_failed', () => remove(needs, account.id));
      await needs.visitors.signOut(reply, visitor);
      if (!isUnconfirmed(mailer, account)) await mailer.send(accountDeletedMail(account, account.email));
      return { goTo: '/', feedback: 'account_deleted' };
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

/** For changes that need more than a session: throws if the password in that field is missing or wrong. */
async function requirePassword(
  signIn: SignIn,
  { username }: Account,
  password: string | undefined,
  field: string,
  address: string,
): Promise<void> {
  if (password === undefined) throw new FormError('credentials_missing', { [field]: 'Enter your password.' });
  if (await signIn({ username, password, address })) return;
  throw new FormError('credentials_wrong', { [field]: "This isn't your current password." });
}

/** With a mail server, the address changes when its owner follows the link; without one, at once. */
async function changeEmail(
  { accounts, mailer, countTaken }: Dependencies,
  account: Account,
  email: string,
  address: string,
): Promise<void> {
  if (!mailer.isSending) {
    await accounts.changeEmail(account.id, account.email, email).catch(countTaken(address));
    return;
  }
  await accounts.setPendingEmail(account.id, account.email, email);
  await sendConfirmation({ accounts, mailer }, { ...account, pending_email: email });
  if (account.email_confirmed_at !== null) await mailer.send(emailChangeRequestedMail(account, account.email, email));
}

async function remove({ removeAccount }: Dependencies, accountId: string): Promise<void> {
  try {
    await removeAccount(accountId);
  } catch (error) {
    if (!(error instanceof StoreRefusal && error.kind === 'sandbox')) throw error;
    throw new FormError('data_problem', { delete_password: "The sandbox account can't be deleted." });
  }
}

function emailVersion({ email, pending_email }: Account): string {
  return hashOf(JSON.stringify([email, pending_email])).slice(0, 16);
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

function accountPage(own: OwnView, permissions: readonly Permission[], mailer: Mailer): SafeHtml {
  const { account, csrf, form, problems } = own;
  const newestByApplication = new Map(
    permissions.toReversed().map((permission) => [permission.applicationId, permission]),
  );
  const text = `${account.username} · created ${dayText(account.created_at)}`;
  const operatorLink = html`<a class="button" href="/operator/">Service status</a>`;
  return html`${pageHead('Your account', text, account.is_operator === 1 && operatorLink)}
    <div class="columns">
      <section class="card">
        <h2>Email address</h2>
        ${emailState(account, csrf, mailer)}
        <form method="post" action="/account/">
          ${hidden('csrf', csrf)} ${hidden('version', emailVersion(account))}
          ${textField({
            name: 'email',
            label: 'Email address',
            type: 'email',
            autocomplete: 'email',
            value: form.get('email') ?? account.email,
            hint: mailer.isSending
              ? 'The new address takes effect when you confirm it with the link that we send there.'
              : undefined,
            problems,
          })}
          ${textField({ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password', problems })}
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
    <h2 class="section-title">Notifications</h2>
    <section class="card">
      <form method="post" action="/account/notifications/">
        ${hidden('csrf', csrf)}
        ${checkBox({
          name: 'endpoint_mails',
          label: 'Emails about callbacks',
          text: html`<strong>Email me when callbacks fail</strong
            ><small
              >When a monitor's events keep failing, when its delivery is turned off, and when all monitors are working
              again.</small
            >`,
          isChecked: account.endpoint_mails === 1,
        })}
        <button type="submit">Save settings</button>
      </form>
    </section>
    <h2 class="section-title">Applications that can act on your behalf</h2>
    ${
      newestByApplication.size === 0
        ? html`<section class="card">
            <p class="muted">None. Applications that you allow on the sign-in page appear here.</p>
          </section>`
        : table(
            'Permissions',
            ['Application', 'Permission', 'Since', 'Action'],
            [...newestByApplication.values()].map((permission) => permissionRow(permission, csrf)),
          )
    }
    <h2 class="section-title">Data and deletion</h2>
    ${deletionCard(own)}`;
}

/** Shows whether the address is confirmed, and which one is pending. */
function emailState(account: Account, csrf: string, mailer: Mailer): SafeHtml {
  const { email, email_confirmed_at, pending_email } = account;
  const isConfirmed = email_confirmed_at !== null;
  const chip = isConfirmed
    ? html`<span class="chip good">confirmed</span>`
    : html`<span class="chip wait">not confirmed</span>`;
  const waiting = pending_email ?? (isConfirmed ? undefined : email);
  return html`<p>${email} ${chip}</p>
    ${
      waiting === undefined || !mailer.isSending
        ? ''
        : html`<div class="note">
            ${icon('mail')}
            <div>
              <p>To confirm <strong>${waiting}</strong>, open the link that we sent there.</p>
              <div class="actions">
                <form method="post" action="/account/confirmation/">
                  ${hidden('csrf', csrf)}<button type="submit">Resend link</button>
                </form>
                ${
                  isConfirmed
                    ? html`<form method="post" action="/account/confirmation/cancel/">
                        ${hidden('csrf', csrf)}<button type="submit">Cancel change</button>
                      </form>`
                    : ''
                }
              </div>
            </div>
          </div>`
    }`;
}

function permissionRow({ applicationId, name, scope, since }: Permission, csrf: string): Cells {
  return [
    html`<strong>${name}</strong>`,
    scope === '' ? 'Read weather data' : html`<code>${scope}</code>`,
    dayText(since),
    html`<form method="post" action="/account/permissions/${applicationId}/withdraw/">
      ${hidden('csrf', csrf)}
      <button class="danger" type="submit" aria-label="Revoke permission for ${name}">Revoke</button>
    </form>`,
  ];
}

function deletionCard({ account, csrf, problems }: OwnView): SafeHtml {
  return html`<section class="card">
    <h2>Delete account</h2>
    <p class="muted">
      Deletes the account along with its applications, monitors, pending deliveries, tokens, and data. You can't undo
      this.
    </p>
    <form method="post" action="/account/delete/">
      ${hidden('csrf', csrf)} ${hidden('username', account.username)}
      ${textField({ name: 'delete_password', label: 'Your password', type: 'password', autocomplete: 'current-password', problems })}
      <button class="danger" type="submit">Delete account</button>
    </form>
  </section>`;
}
