// Creating an account, together with its first application if wanted; signing in and out.
import { html } from '@remix-run/html-template';
import type { ApplicationText } from '../../accounts/application-store.ts';
import type { Plan } from '../../accounts/plans.ts';
import { emailProblem, passwordProblem, usernameProblem } from '../../accounts/account-rules.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Form } from '../../oauth/form-body.ts';
import { emailField, newPasswordField, usernameField } from '../layout/fields.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';
import { type Card, orWarn, type PageRoutes, type View } from '../layout/page-routes.ts';
import { signInByForm, signInFields } from '../layout/sign-in-form.ts';
import type { Website } from '../website.ts';
import { createApplication, readApplicationText } from './application-pages.ts';
import { termsField, termsProblem } from './application-views.ts';
import { planOptions } from './plan-pages.ts';
import { sendConfirmation } from './unconfirmed-email.ts';

/** Each account costs a slow hash and a row; a class of students behind one address can still register. */
const registrationLimit = { name: 'account', max: 100, windowSeconds: 600 };

export function registerSignInPages(routes: PageRoutes, website: Website): void {
  const { fleet, accounts, signIn, visitors, mailer, countTaken } = website;
  const offered = website.plans.filter((plan) => plan.isOffered);
  const countRegistration = createCountGuard(fleet, registrationLimit, 'account registrations');
  routes.form({
    path: '/sign-in',
    title: 'Sign in',
    view: ({ form, query, canRegister }) => ({
      text: 'See your applications, plans, and usage.',
      hidden: { to: form.get('to') ?? query.get('to') ?? '' },
      fields: signInFields(form.get('username')),
      button: 'Sign in',
      below: html`<p class="actions"><a href="/forgot-password/">Forgot your password?</a></p>
        ${canRegister ? html`<p class="actions">No account yet? <a href="/register/">Create an account</a></p>` : ''}`,
    }),
    async submit({ visitor, form }, { request, reply }) {
      await visitors.signIn(reply, visitor, await signInByForm(signIn, request));
      return { goTo: ownPath(form.get('to')) };
    },
  });

  routes.form({
    path: '/register',
    title: 'Create an account',
    view(view) {
      requireOpen(view);
      return registerCard(offered);
    },
    async submit({ visitor, form, canRegister }, { request, reply }) {
      requireOpen({ canRegister });
      const username = form.get('username')?.trim() ?? '';
      const email = form.get('email')?.trim() ?? '';
      const password = form.get('password') ?? '';
      if (username === '' || email === '' || password === '') throw new FormError('registration_incomplete');
      refuseProblems('identity_problem', { username: usernameProblem(username) });
      refuseProblems('email_invalid', { email: emailProblem(email) });
      refuseProblems('data_problem', { password: passwordProblem(password) });
      const first = readFirstApplication(form, username, offered);
      await countRegistration(request.ip);
      const emailState = mailer.isSending ? 'pending' : 'claimed';
      const from = { address: request.ip };
      const account = await orWarn('saving_failed', () =>
        accounts.create({ username, email, password, emailState }, from).catch(countTaken(request.ip)),
      );
      if (mailer.isSending) await orWarn('saving_failed', () => sendConfirmation({ accounts, mailer }, account));
      const signedIn = await visitors.signIn(reply, visitor, account);
      if (mailer.isSending) {
        const goTo = `/applications/new/${first ? `?plan=${first.plan.id}` : ''}`;
        return { goTo, feedback: 'email_link_sent' };
      }
      if (!first) return { goTo: '/applications/' };
      try {
        return { ...(await createApplication(website, account.id, first)), visitor: signedIn };
      } catch (error) {
        // The account exists now, so this form can't be sent again.
        if (error instanceof FormError)
          return { goTo: `/applications/new/?plan=${first.plan.id}`, feedback: error.feedback };
        throw error;
      }
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

function requireOpen({ canRegister }: Pick<View, 'canRegister'>): void {
  if (canRegister) return;
  throw new ServiceError('access_denied', 'Registration is closed. Ask the operator of this service for an account.');
}

type FirstApplication = { text: ApplicationText; plan: Plan };

/** Returns undefined without a name: the user only signs in to other developers' applications. */
function readFirstApplication(form: Form, username: string, offered: readonly Plan[]): FirstApplication | undefined {
  const name = form.get('name')?.trim() ?? '';
  if (name === '') return undefined;
  const text = readApplicationText(new Map([...form, ['description', `${name}, by ${username}`]]));
  const plan = offered.find(({ id }) => id === form.get('plan'));
  if (!plan) throw new FormError('plan_missing', { plan: 'Choose a plan for the application.' });
  if (form.get('terms') !== 'yes') throw new FormError('terms_not_accepted', { terms: termsProblem });
  return { text, plan };
}

/** Returns a path on this site, never another host, whatever the URL contained. */
function ownPath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7E]*$/.test(path) && !path.includes('\\') ? path : '/applications/';
}

function registerCard(offered: readonly Plan[]): Card {
  return {
    text: 'Your applications belong to your account. Users of your applications also need an account to sign in.',
    fields: [
      { ...usernameField, hint: 'Letters, digits, dots, dashes, and underscores.', isFocused: true },
      emailField,
      { ...newPasswordField, name: 'password', label: 'Password' },
      {
        name: 'name',
        label: 'Application name',
        isOptional: true,
        hint: 'You get its client ID and client secret. Leave it empty to only sign in to other applications.',
      },
      {
        name: 'plan',
        label: 'Plan',
        type: 'radio',
        value: offered[0]?.id,
        hint: 'Limits the application’s monitors and requests.',
        options: planOptions(offered, []),
      },
      termsField,
    ],
    button: 'Create account',
    below: html`<p class="muted">The <a href="/privacy/">privacy page</a> lists what the service stores.</p>
      <p class="actions">Already have an account? <a href="/sign-in/">Sign in</a></p>`,
  };
}
