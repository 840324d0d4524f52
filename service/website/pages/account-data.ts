// The card that deletes the account.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../accounts/account-store.ts';
import { StoreRefusal } from '../../accounts/store-refusal.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import { accountDeletedMail } from '../../mail/account-mails.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { hidden, textField } from '../layout/fields.ts';
import { FormError } from '../layout/form-error.ts';
import { orWarn, type OwnView, type PageRoutes } from '../layout/page-routes.ts';
import type { Visitors } from '../layout/visitor.ts';
import { requirePassword } from './confirm-password.ts';
import { isUnconfirmed } from './unconfirmed-email.ts';

type Dependencies = {
  signIn: SignIn;
  mailer: Mailer;
  visitors: Pick<Visitors, 'signOut'>;
  removeAccount: (accountId: string) => Promise<Account>;
};

/** `view` renders the account page, which shows warnings of the deletion form. */
export function registerAccountData(
  routes: PageRoutes,
  { signIn, mailer, visitors, removeAccount }: Dependencies,
  view: (own: OwnView) => Promise<SafeHtml>,
): void {
  routes.ownForm({
    path: '/account/delete',
    title: 'Your account',
    view,
    async submit({ account, visitor, form }, { request, reply }) {
      await requirePassword(signIn, account, form.get('delete_password'), 'delete_password', request.ip);
      await orWarn('saving_failed', () => remove(account.id));
      await visitors.signOut(reply, visitor);
      if (!isUnconfirmed(mailer, account)) await mailer.send(accountDeletedMail(account, account.email));
      return { goTo: '/', feedback: 'account_deleted' };
    },
  });

  async function remove(accountId: string): Promise<void> {
    try {
      await removeAccount(accountId);
    } catch (error) {
      if (!(error instanceof StoreRefusal && error.kind === 'sandbox')) throw error;
      throw new FormError('data_problem', { delete_password: "The sandbox account can't be deleted." });
    }
  }
}

export function accountDataCards({ account, csrf, problems }: OwnView): SafeHtml {
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
