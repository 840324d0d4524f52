// Pages of mailed links, and the form that requests one. Opening a link changes nothing, because mail programs open links too. Only
// the button on its page does.
import { html } from '@remix-run/html-template';
import { passwordProblem } from '../../accounts/account-rules.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { emailChangedMail, passwordChangedMail, resetMail } from '../../mail/account-mails.ts';
import type { MailedLink } from '../../mail/links.ts';
import type { LinkPurpose } from '../../mail/tables.ts';
import { newPasswordField } from '../layout/fields.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';
import { orWarn, type PageRoutes, type View } from '../layout/page-routes.ts';
import { nameField } from '../layout/sign-in-form.ts';
import type { Website } from '../website.ts';

const resetLimit = { name: 'reset', max: 30, windowSeconds: 600 };

export function registerLinkPages(routes: PageRoutes, { accounts, links, mailer, fleet }: Website): void {
  const countRequest = createCountGuard(fleet, resetLimit, 'password reset requests');

  /** Returns the page's link, by the token in the URL or in the form. Throws if the link does not work anymore. */
  async function linkOf(purpose: LinkPurpose, { form, query }: View): Promise<MailedLink & { token: string }> {
    const token = form.get('token') ?? query.get('token') ?? '';
    const link = await links.find(token, purpose);
    if (link) return { ...link, token };
    throw new ServiceError(
      'not_found',
      'This link has already been used, has expired, or is incomplete. Request a new one: for a password on the sign-in page, for an email address on your account page.',
    );
  }

  routes.form({
    path: '/confirm-email',
    title: 'Confirm your email address',
    async view(view) {
      const { token, email, accountId } = await linkOf('confirm-email', view);
      const account = await accounts.find(accountId);
      // Only a reader of that mailbox has this link, so the page may show that another account has the address.
      if (await accounts.isConfirmedElsewhere(accountId, email))
        return {
          title: 'Email already taken',
          text: html`<strong>${email}</strong> belongs to another account. If that account is yours, sign in to it or
            reset its password.`,
          below: html`<div class="actions">
            <a class="button primary" href="/sign-in/">Sign in</a>
            <a class="button" href="/forgot-password/">Reset password</a>
          </div>`,
        };
      return {
        text: html`<strong>${email}</strong> will become the email address for the account
          <strong>${account?.username ?? ''}</strong>. If this isn't your account, close this page. Nothing changes
          until you press the button.`,
        hidden: { token },
        button: 'Confirm address',
      };
    },
    async submit(view) {
      const link = await linkOf('confirm-email', view);
      const { account, previous } = await orWarn('email_update_failed', () => accounts.confirmEmailBy(link));
      if (previous !== undefined) await mailer.send(emailChangedMail(account, previous, account.email));
      return { goTo: view.visitor.account ? '/account/' : '/sign-in/', feedback: 'email_confirmed' };
    },
  });

  routes.form({
    path: '/forgot-password',
    title: 'Forgot your password?',
    view() {
      if (!mailer.isSending)
        return {
          text: "This service doesn't send emails, so it can't send you a link. Ask the operator for a new password.",
          below: html`<a class="button" href="/contact/">Contact the operator</a>`,
        };
      return {
        text: "We'll send a link to the account's confirmed email address. Open the link to choose a new password.",
        fields: [{ ...nameField, isFocused: true }],
        button: 'Send link',
        below: html`<p class="actions"><a href="/sign-in/">Back to sign-in</a></p>`,
      };
    },
    async submit({ form }, { request }) {
      const name = form.get('username')?.trim() ?? '';
      if (name === '') {
        throw new FormError('data_problem', { username: 'Enter your username or email address.' });
      }
      await countRequest(request.ip);
      // After the response, so that its timing does not reveal whether the account exists.
      mailer.inBackground(() => mailLink(name));
      return { goTo: '/forgot-password/', feedback: 'reset_link_sent' };
    },
  });

  /** Only a confirmed address proves that its mailbox belongs to the account's owner. */
  async function mailLink(name: string): Promise<void> {
    const account = await accounts.findForSignIn(name);
    if (!mailer.isSending || !account || account.disabled_at !== null || account.email_confirmed_at === null) return;
    await mailer.send(resetMail(account, account.email));
  }

  routes.form({
    path: '/reset-password',
    title: 'Choose a new password',
    async view(view) {
      const { token, email } = await linkOf('reset-password', view);
      return {
        text: 'This signs you out of all browsers and revokes all application permissions.',
        hidden: { token, username: email },
        fields: [{ ...newPasswordField, isFocused: true }],
        button: 'Change password',
      };
    },
    async submit(view, { request }) {
      const link = await linkOf('reset-password', view);
      const password = view.form.get('new_password') ?? '';
      refuseProblems('data_problem', { new_password: passwordProblem(password) });
      const from = { address: request.ip };
      const account = await orWarn('saving_failed', () => accounts.resetPasswordBy(link, password, from));
      await mailer.send(passwordChangedMail(account, account.email));
      return { goTo: '/sign-in/', feedback: 'password_reset' };
    },
  });
}
