// Pages of mailed links, and the form that requests one. Opening a link changes nothing, because mail programs open links too. Only
// the button on its page does.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Kysely } from 'kysely';
import type { Clock } from '@rainbell/shared';
import { type AccountStore, comparable } from '../../accounts/account-store.ts';
import { passwordProblem } from '../../accounts/account-rules.ts';
import type { Fleet } from '../../limits/limiter.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import type { Tables } from '../../database/tables.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { emailChangedMail, passwordChangedMail, resetMail } from '../../mail/account-mails.ts';
import { consumeLink, type Links, type MailedLink } from '../../mail/links.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { LinkPurpose } from '../../mail/tables.ts';
import { hidden, textField } from '../layout/fields.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';
import { orWarn, type PageRoutes, type View } from '../layout/page-routes.ts';

type Dependencies = {
  clock: Clock;
  fleet?: Fleet;
  db: Kysely<Tables>;
  accounts: AccountStore;
  links: Pick<Links, 'find'>;
  mailer: Mailer;
};

const resetLimit = { name: 'reset', max: 30, windowSeconds: 600 };

export function registerLinkPages(routes: PageRoutes, dependencies: Dependencies): void {
  registerConfirmation(routes, dependencies);
  registerReset(routes, dependencies);
  registerLaunchConfirmation(routes, dependencies);
}

/** Returns the page's link, by the token in the URL or in the form. Throws if the link does not work anymore. */
async function linkOf(
  links: Dependencies['links'],
  purpose: LinkPurpose,
  { form, query }: View,
): Promise<MailedLink & { token: string }> {
  const token = form.get('token') ?? query.get('token') ?? '';
  const link = await links.find(token, purpose);
  if (link) return { ...link, token };
  throw new ServiceError(
    'not_found',
    'This link has already been used, has expired, or is incomplete. Request a new one.',
  );
}

function registerConfirmation(routes: PageRoutes, { accounts, links, mailer }: Dependencies): void {
  routes.form({
    path: '/confirm-email',
    title: 'Confirm your email address',
    width: 'narrow',
    async view(view) {
      const link = await linkOf(links, 'confirm-email', view);
      const account = await accounts.find(link.accountId ?? '');
      // Only a reader of that mailbox has this link, so the page may show that another account has the address.
      if (await accounts.isConfirmedElsewhere(link.accountId ?? '', link.email)) return takenPage(link.email);
      return confirmationPage(view, link, account?.username ?? '');
    },
    async submit(view) {
      const link = await linkOf(links, 'confirm-email', view);
      const { account, previous } = await orWarn('email_update_failed', () => accounts.confirmEmailBy(link));
      if (previous !== undefined) await mailer.send(emailChangedMail(account, previous, account.email));
      return { goTo: view.visitor.account ? '/account/' : '/sign-in/', feedback: 'email_confirmed' };
    },
  });
}

function confirmationPage({ csrf }: View, { token, email }: { token: string; email: string }, username: string) {
  return html`<section class="card">
    <h1>Confirm your email address</h1>
    <p><strong>${email}</strong> will become the email address for the account <strong>${username}</strong>.</p>
    <p class="muted">If this isn't your account, close this page. Nothing changes until you press the button.</p>
    <form method="post" action="/confirm-email/">
      ${hidden('csrf', csrf)} ${hidden('token', token)}
      <button class="primary wide" type="submit">Confirm address</button>
    </form>
  </section>`;
}

function takenPage(email: string): SafeHtml {
  return html`<section class="card">
    <h1>Email already taken</h1>
    <p>
      <strong>${email}</strong> belongs to another account. If that account is yours, sign in to it or reset its
      password.
    </p>
    <div class="actions">
      <a class="button primary" href="/sign-in/">Sign in</a>
      <a class="button" href="/forgot-password/">Reset password</a>
    </div>
  </section>`;
}

function registerReset(routes: PageRoutes, needs: Dependencies): void {
  const { accounts, links, mailer } = needs;
  const countRequest = createCountGuard(needs.fleet, resetLimit, 'password reset requests');

  routes.form({
    path: '/forgot-password',
    title: 'Forgot your password?',
    width: 'narrow',
    view: (view) => (mailer.isSending ? forgottenPage(view) : withoutMailPage()),
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
    width: 'narrow',
    view: async (view) => resetPage(view, await linkOf(links, 'reset-password', view)),
    async submit(view, { request }) {
      const link = await linkOf(links, 'reset-password', view);
      const password = view.form.get('new_password') ?? '';
      refuseProblems('data_problem', { new_password: passwordProblem(password) });
      const from = { address: request.ip, name: link.accountId ?? '' };
      const account = await orWarn('saving_failed', () => accounts.resetPasswordBy(link, password, from));
      await mailer.send(passwordChangedMail(account, account.email));
      return { goTo: '/sign-in/', feedback: 'password_reset' };
    },
  });
}

function forgottenPage({ csrf, form, problems }: View): SafeHtml {
  return html`<section class="card">
    <h1>Forgot your password?</h1>
    <p class="muted">
      We'll send a link to the account's confirmed email address. Open the link to choose a new password.
    </p>
    <form method="post" action="/forgot-password/">
      ${hidden('csrf', csrf)}
      ${textField({
        name: 'username',
        label: 'Username or email address',
        autocomplete: 'username',
        value: form.get('username'),
        problems,
        isFocused: true,
      })}
      <button class="primary wide" type="submit">Send link</button>
    </form>
    <p class="actions"><a href="/sign-in/">Back to sign-in</a></p>
  </section>`;
}

function withoutMailPage(): SafeHtml {
  return html`<section class="card">
    <h1>Forgot your password?</h1>
    <p>This service doesn't send emails, so it can't send you a link. Ask the operator for a new password.</p>
    <div class="actions"><a class="button" href="/contact/">Contact the operator</a></div>
  </section>`;
}

function resetPage({ csrf, problems }: View, { token, email }: { token: string; email: string }): SafeHtml {
  return html`<section class="card">
    <h1>Choose a new password</h1>
    <p class="muted">This signs you out of all browsers and revokes all application permissions.</p>
    <form method="post" action="/reset-password/">
      ${hidden('csrf', csrf)} ${hidden('token', token)} ${hidden('username', email)}
      ${textField({
        name: 'new_password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint: 'At least 8 characters. Use several words for a strong password.',
        problems,
        isFocused: true,
      })}
      <button class="primary wide" type="submit">Change password</button>
    </form>
  </section>`;
}

function registerLaunchConfirmation(routes: PageRoutes, { db, clock, links }: Dependencies): void {
  routes.form({
    path: '/launch/confirm',
    title: 'Launch notice',
    width: 'narrow',
    view: async (view) => launchPage(view, await linkOf(links, 'launch-notice', view)),
    async submit(view) {
      const link = await linkOf(links, 'launch-notice', view);
      await orWarn('saving_failed', () => addLaunchNotice(db, clock, link));
      return { goTo: '/launch/', feedback: 'launch_registered' };
    },
  });
}

async function addLaunchNotice(db: Kysely<Tables>, clock: Clock, link: MailedLink): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The second of two uses finds the address already subscribed.
    await consumeLink(trx, clock.now(), link);
    const now = clock.now();
    const row = { email_key: comparable(link.email), email: link.email, created_at: now, confirmed_at: now };
    await trx
      .insertInto('launch_notices')
      .values(row)
      .onConflict((conflict) => conflict.column('email_key').doUpdateSet({ confirmed_at: now }))
      .execute();
  });
}

function launchPage({ csrf }: View, { token, email }: { token: string; email: string }): SafeHtml {
  return html`<section class="card">
    <h1>Launch notice</h1>
    <p><strong>${email}</strong> will get one email when something new launches, and nothing else.</p>
    <form method="post" action="/launch/confirm/">
      ${hidden('csrf', csrf)} ${hidden('token', token)}
      <button class="primary wide" type="submit">Notify me</button>
    </form>
  </section>`;
}
