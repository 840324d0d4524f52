// Creating an account, signing in and out.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { AccountStore, NewAccount } from '../../accounts/account-store.ts';
import { emailProblem, passwordProblem, usernameProblem } from '../../accounts/account-rules.ts';
import type { PasswordRequest } from '../../accounts/passwords.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import { StoreRefusal } from '../../accounts/store-refusal.ts';
import type { Fleet } from '../../limits/limiter.ts';
import { type CountGuard, createCountGuard } from '../../limits/throttle.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { hidden, textField } from '../layout/fields.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';
import { orWarn, type PageRoutes, type View } from '../layout/page-routes.ts';
import type { Visitors } from '../layout/visitor.ts';
import { sendConfirmation } from './unconfirmed-email.ts';

/** Each account costs a slow hash and a row; a class of students behind one address can still register. */
const registrationLimit = { name: 'account', max: 100, windowSeconds: 600 };

type Dependencies = {
  fleet?: Fleet;
  accounts: AccountStore;
  signIn: SignIn;
  visitors: Visitors;
  mailer: Mailer;
  countTaken: CountGuard;
};

export function registerSignInPages(
  routes: PageRoutes,
  { fleet, accounts, signIn, visitors, mailer, countTaken }: Dependencies,
): void {
  const countRegistration = createCountGuard(fleet, registrationLimit, 'account registrations');
  routes.form({
    path: '/sign-in',
    title: 'Sign in',
    width: 'narrow',
    view: signInForm,
    async submit({ visitor, form }, { request, reply }) {
      const [username, password] = [form.get('username')?.trim() ?? '', form.get('password') ?? ''];
      if (username === '' || password === '') throw new FormError('credentials_missing');
      const account = await signIn({ username, password, address: request.ip });
      if (!account) throw new FormError('credentials_wrong');
      await visitors.signIn(reply, visitor, account);
      return { goTo: ownPath(form.get('to')) };
    },
  });

  routes.form({
    path: '/register',
    title: 'Create an account',
    width: 'narrow',
    view: registerForm,
    async submit({ visitor, form }, { request, reply }) {
      const username = form.get('username')?.trim() ?? '';
      const email = form.get('email')?.trim() ?? '';
      const password = form.get('password') ?? '';
      if (username === '' || email === '' || password === '') throw new FormError('registration_incomplete');
      refuseProblems('identity_problem', { username: usernameProblem(username) });
      refuseProblems('email_invalid', { email: emailProblem(email) });
      refuseProblems('data_problem', { password: passwordProblem(password) });
      await countRegistration(request.ip);
      const emailState = mailer.isSending ? 'pending' : 'claimed';
      const from = { address: request.ip, name: username };
      const account = await orWarn('saving_failed', () =>
        createAccount(accounts, { username, email, password, emailState }, from, () => countTaken(request.ip)),
      );
      if (mailer.isSending) await orWarn('saving_failed', () => sendConfirmation({ accounts, mailer }, account));
      await visitors.signIn(reply, visitor, account);
      return { goTo: '/contracts/new/', ...(mailer.isSending ? { feedback: 'email_link_sent' } : {}) };
    },
  });

  routes.ownAction({
    path: '/sign-out',
    async submit({ visitor }, { reply }) {
      await visitors.signOut(reply, visitor);
      return { goTo: '/', feedback: 'signed_out' };
    },
  });
}

function createAccount(
  accounts: AccountStore,
  account: NewAccount,
  from: PasswordRequest,
  countTaken: () => Promise<void>,
) {
  return accounts.create(account, from).catch(async (error: unknown) => {
    if (error instanceof StoreRefusal && error.kind === 'username_taken') throw new FormError('username_taken');
    if (!(error instanceof StoreRefusal && error.kind === 'email_taken')) throw error;
    await countTaken();
    throw new FormError('email_taken');
  });
}

/** Returns a path on this site, never another host, whatever the URL contained. */
function ownPath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7E]*$/.test(path) && !path.includes('\\') ? path : '/applications/';
}

function signInForm({ csrf, form, query, problems }: View): SafeHtml {
  return html`<section class="card">
    <h1>Sign in</h1>
    <p class="muted">See your applications, plans, and usage.</p>
    <form method="post" action="/sign-in/">
      ${hidden('csrf', csrf)} ${hidden('to', form.get('to') ?? query.get('to') ?? '')}
      ${textField({
        name: 'username',
        label: 'Username or email address',
        autocomplete: 'username',
        value: form.get('username'),
        problems,
        isFocused: true,
      })}
      ${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
      <button class="primary wide" type="submit">Sign in</button>
    </form>
    <p class="actions"><a href="/forgot-password/">Forgot your password?</a></p>
    <p class="actions">No account yet? <a href="/register/">Create an account</a></p>
  </section>`;
}

function registerForm({ csrf, form, problems }: View): SafeHtml {
  return html`<section class="card">
    <h1>Create an account</h1>
    <p class="muted">
      Your applications belong to your account. Users of your applications also need an account to sign in.
    </p>
    <form method="post" action="/register/">
      ${hidden('csrf', csrf)}
      ${textField({
        name: 'username',
        label: 'Username',
        autocomplete: 'username',
        value: form.get('username'),
        hint: 'Letters, digits, dots, dashes, and underscores.',
        problems,
        isFocused: true,
      })}
      ${textField({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email', value: form.get('email'), problems })}
      ${textField({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        hint: 'At least 8 characters. Use several words for a strong password.',
        problems,
      })}
      <button class="primary wide" type="submit">Create account</button>
    </form>
    <p class="muted">
      By creating an account, you agree to the <a href="/terms/">terms</a>. The
      <a href="/privacy/">privacy page</a> lists what the service stores.
    </p>
    <p class="actions">Already have an account? <a href="/sign-in/">Sign in</a></p>
  </section>`;
}
