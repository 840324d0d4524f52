// The signed-in user's account: email address, password, and the applications that may act for it.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../accounts/account-store.ts';
import { emailProblem, passwordProblem } from '../../accounts/account-rules.ts';
import { StoreRefusal } from '../../accounts/store-refusal.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import type { Db } from '../../database/tables.ts';
import { accountDeletedMail, emailChangeRequestedMail, passwordChangedMail } from '../../mail/account-mails.ts';
import { emailField, newPasswordField, passwordField, showForm } from '../layout/fields.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';
import { pageHead } from '../layout/page.ts';
import { orWarn, type OwnView, type PageRoutes } from '../layout/page-routes.ts';
import { dayText } from '../layout/dates.ts';
import { table } from '../layout/table.ts';
import { icon } from '../layout/icons.ts';
import type { Website } from '../website.ts';
import { isUnconfirmed, sendConfirmation } from './unconfirmed-email.ts';

/** One account could otherwise mail links to any number of other people's addresses. */
const linkLimit = { name: 'link', max: 30, windowSeconds: 600 };

export function registerAccountPages(routes: PageRoutes, website: Website): void {
  const { accounts, applications, tokens, signIn, mailer, db, visitors, fleet, removeAccount } = website;
  const countLink = createCountGuard(fleet, linkLimit, 'requests for confirmation links');
  const view = async (own: OwnView) => accountPage(own, await permissionsOf(db, own.account.id), mailer.isSending);

  routes.ownForm({
    path: '/account',
    title: 'Your account',
    view,
    async submit({ account, form }, { request }) {
      const email = form.get('email')?.trim() ?? '';
      refuseProblems('email_invalid', { email: emailProblem(email) });
      await requirePassword(signIn, account, form.get('password'), 'password', request.ip);
      if (mailer.isSending) await countLink(request.ip);
      const feedback = await orWarn('email_update_failed', () => changeEmail(website, account, email, request.ip));
      return { goTo: '/account/', feedback };
    },
  });

  routes.ownAction({
    path: '/account/confirmation',
    async submit({ account }, { request }) {
      const isWaiting = account.pending_email !== null || account.email_confirmed_at === null;
      if (!mailer.isSending || !isWaiting) return { goTo: '/account/' };
      await countLink(request.ip);
      await sendConfirmation(website, account);
      return { goTo: '/account/', feedback: 'email_link_sent' };
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
      if (own.some((application) => application.is_sandbox === 1)) throw new StoreRefusal('sandbox');
      const from = { address: request.ip };
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
      await orWarn('saving_failed', () => removeAccount(account.id));
      await visitors.signOut(reply, visitor);
      if (!isUnconfirmed(mailer, account)) await mailer.send(accountDeletedMail(account, account.email));
      return { goTo: '/', feedback: 'account_deleted' };
    },
  });

  routes.ownAction({
    path: '/account/permissions/:id/withdraw',
    async submit({ account, id }) {
      const own = (await permissionsOf(db, account.id)).filter((permission) => permission.applicationId === id);
      for (const { grantId } of own) await tokens.revoke({ grantId });
      return { goTo: '/account/', feedback: 'permission_withdrawn' };
    },
  });
}

/** For changes that need more than a session: throws if the password in that field is missing or wrong. */
async function requirePassword(
  signIn: Website['signIn'],
  { username }: Account,
  password: string | undefined,
  field: string,
  address: string,
): Promise<void> {
  if (password === undefined) throw new FormError('credentials_missing', { [field]: 'Enter your password.' });
  if (await signIn({ username, password, address })) return;
  throw new FormError('credentials_wrong', { [field]: "This isn't your current password." });
}

/** With a mail server, the address changes when its owner follows the link; the current one cancels that. Without one, at once. */
async function changeEmail(
  { accounts, mailer, countTaken }: Website,
  account: Account,
  email: string,
  address: string,
): Promise<'email_changed' | 'email_change_canceled' | 'email_link_sent'> {
  if (!mailer.isSending) {
    await accounts.changeEmail(account.id, email).catch(countTaken(address));
    return 'email_changed';
  }
  const isConfirmed = account.email_confirmed_at !== null;
  const isCanceled = isConfirmed && email === account.email;
  await accounts.setPendingEmail(account.id, isCanceled ? null : email);
  if (isCanceled) return 'email_change_canceled';
  await sendConfirmation({ accounts, mailer }, { ...account, pending_email: email });
  if (isConfirmed) await mailer.send(emailChangeRequestedMail(account, account.email, email));
  return 'email_link_sent';
}

type Permission = { grantId: string; applicationId: string; name: string; scope: string; since: number };

async function permissionsOf(db: Db, accountId: string): Promise<Permission[]> {
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

function accountPage(own: OwnView, permissions: readonly Permission[], isSending: boolean): SafeHtml {
  const { account } = own;
  const { email, username } = account;
  const text = `${username} · created ${dayText(account.created_at)}`;
  const operatorLink = html`<a class="button" href="/operator/">Service status</a>`;
  return html`${pageHead('Your account', text, account.is_operator === 1 && operatorLink)}
    <div class="columns">
      <section class="card">
        <h2>Email address</h2>
        ${emailState(own, isSending)}
        ${showForm(own, {
          action: '/account/',
          fields: [
            {
              ...emailField,
              value: email,
              hint: isSending
                ? 'The new address takes effect when you confirm it with the link that we send there.'
                : undefined,
            },
            passwordField,
          ],
          button: 'Change email address',
        })}
      </section>
      <section class="card">
        <h2>Password</h2>
        ${showForm(own, {
          action: '/account/password/',
          hidden: { username },
          fields: [{ ...passwordField, name: 'current_password', label: 'Current password' }, newPasswordField],
          button: 'Change password',
        })}
      </section>
    </div>
    <h2 class="section-title">Notifications</h2>
    <section class="card">
      ${showForm(own, {
        action: '/account/notifications/',
        fields: [
          {
            name: 'endpoint_mails',
            type: 'box',
            value: account.endpoint_mails === 1 ? 'yes' : '',
            label: html`<strong>Email me when callbacks fail</strong
              ><small
                >When a monitor's events keep failing, when its delivery is turned off, and when all monitors are
                working again. ${isSending ? '' : "This service doesn't send emails."}</small
              >`,
          },
        ],
        button: 'Save settings',
        look: '',
      })}
    </section>
    <h2 class="section-title">Applications that can act on your behalf</h2>
    ${permissionTable(own, permissions)}
    <h2 class="section-title">Data and deletion</h2>
    <section class="card">
      <h2>Delete account</h2>
      <p class="muted">
        Deletes the account along with its applications, monitors, pending deliveries, tokens, and data. You can't undo
        this.
      </p>
      ${showForm(own, {
        action: '/account/delete/',
        hidden: { username },
        fields: [{ ...passwordField, name: 'delete_password' }],
        button: 'Delete account',
        look: 'danger',
      })}
    </section>`;
}

function emailState(own: OwnView, isSending: boolean): SafeHtml {
  const { email, email_confirmed_at, pending_email } = own.account;
  const isConfirmed = email_confirmed_at !== null;
  const waiting = pending_email ?? (isConfirmed ? undefined : email);
  return html`<p>
      ${email}
      <span class="chip ${isConfirmed ? 'good' : 'wait'}">${isConfirmed ? 'confirmed' : 'not confirmed'}</span>
    </p>
    ${
      waiting === undefined || !isSending
        ? ''
        : html`<div class="note">
            ${icon('mail')}
            <div>
              <p>
                To confirm <strong>${waiting}</strong>, open the link that we sent there.
                ${isConfirmed ? 'To cancel the change, enter your current address below.' : ''}
              </p>
              <div class="actions">
                ${showForm(own, { action: '/account/confirmation/', button: 'Resend link', look: '' })}
              </div>
            </div>
          </div>`
    }`;
}

/** An application has one line, with its newest permission. */
function permissionTable(own: OwnView, permissions: readonly Permission[]): SafeHtml {
  if (permissions.length === 0)
    return html`<section class="card">
      <p class="muted">None. Applications that you allow on the sign-in page appear here.</p>
    </section>`;
  const newest = new Map(permissions.toReversed().map((permission) => [permission.applicationId, permission]));
  const rows = [...newest.values()].map(({ applicationId, name, scope, since }) => [
    html`<strong>${name}</strong>`,
    scope === '' ? 'Read weather data' : html`<code>${scope}</code>`,
    dayText(since),
    showForm(own, {
      action: `/account/permissions/${applicationId}/withdraw/`,
      button: 'Revoke',
      look: 'danger',
      label: `Revoke permission for ${name}`,
    }),
  ]);
  return table('Permissions', ['Application', 'Permission', 'Since', 'Action'], rows);
}
