// Messages: to the operator, thanks, usage by email, and the launch notice (docs/interface.md §7.3).
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Kysely } from 'kysely';
import { comparable } from '../../accounts/account-store.ts';
import { emailProblem } from '../../accounts/account-rules.ts';
import type { Clock } from '@rainbell/shared';
import type { Fleet } from '../../limits/limiter.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import type { Tables } from '../../database/tables.ts';
import { launchMail } from '../../mail/account-mails.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { hidden, textArea, textField } from '../layout/fields.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';
import { orWarn, type PageRoutes, type View } from '../layout/page-routes.ts';

type Dependencies = { clock: Clock; fleet?: Fleet; db: Kysely<Tables>; mailer: Mailer; operatorEmail: string };

const messageLimit = 5000;
/** Enough for users, too few to fill a mailbox. */
const sendLimit = { name: 'message', max: 30, windowSeconds: 600 };

export function registerMessagePages(routes: PageRoutes, needs: Dependencies): void {
  const { db, clock, mailer, operatorEmail } = needs;
  const countMessage = createCountGuard(needs.fleet, sendLimit, 'messages');

  async function mailOperator(about: string, message: string, from: string, address: string, reply = {}) {
    await countMessage(address);
    const text = `${message}\n\n-- \nfrom ${from}\n`;
    const mail = { to: operatorEmail, subject: `Rainbell: ${about}`, text, whenLimited: 'keep', ...reply } as const;
    await orWarn('saving_failed', () => mailer.send(mail));
  }

  routes.form({
    path: '/contact',
    title: 'Contact',
    section: '/contact/',
    width: 'narrow',
    view: contactForm,
    async submit({ form }, { request }) {
      const [email, message] = [form.get('email')?.trim() ?? '', form.get('message')?.trim() ?? ''];
      if (email === '' || message === '') throw new FormError('contact_incomplete');
      refuseProblems('email_invalid', { email: emailProblem(email) });
      refuseProblems('data_problem', { message: messageProblem(message) });
      await mailOperator('contact message', message, email, request.ip, { replyTo: email });
      return { goTo: '/contact/', feedback: 'email_sent' };
    },
  });

  routes.form({
    path: '/thanks',
    title: 'Say thanks',
    width: 'narrow',
    view: thanksForm,
    async submit({ form, visitor }, { request }) {
      const message = form.get('message')?.trim() ?? '';
      refuseProblems('data_problem', { message: message === '' ? 'Enter a message.' : messageProblem(message) });
      await mailOperator('thank you', message, visitor.account?.username ?? 'a visitor', request.ip);
      return { goTo: '/thanks/', feedback: 'thanks_sent' };
    },
  });

  routes.form({
    path: '/launch',
    title: 'Launch notice',
    width: 'narrow',
    view: launchForm,
    async submit({ form }, { request }) {
      const email = form.get('email')?.trim() ?? '';
      refuseProblems('email_invalid', { email: emailProblem(email) });
      await countMessage(request.ip);
      if (mailer.isSending) {
        // The address is subscribed when its owner follows the link. A subscribed one gets no email, and the page does not reveal
        // that.
        mailer.inBackground(() => mailLaunchLink({ db, mailer }, email));
        return { goTo: '/launch/', feedback: 'launch_link_sent' };
      }
      await orWarn('saving_failed', () =>
        db
          .insertInto('launch_notices')
          .values({ email_key: comparable(email), email, created_at: clock.now(), confirmed_at: null })
          .onConflict((conflict) => conflict.column('email_key').doNothing())
          .execute(),
      );
      return { goTo: '/launch/', feedback: 'launch_registered' };
    },
  });
}

async function mailLaunchLink({ db, mailer }: Pick<Dependencies, 'db' | 'mailer'>, email: string): Promise<void> {
  const listed = await db
    .selectFrom('launch_notices')
    .select('email')
    .where('email_key', '=', comparable(email))
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  if (!listed) await mailer.send(launchMail(email));
}

function messageProblem(message: string): string | undefined {
  return message.length <= messageLimit ? undefined : `Shorten the message to at most ${messageLimit} characters.`;
}

function contactForm({ csrf, form, problems, visitor }: View): SafeHtml {
  return html`<section class="card">
    <h1>Contact</h1>
    <p class="muted">Ask the operator a question, report a problem, or request the password grant.</p>
    <form method="post" action="/contact/">
      ${hidden('csrf', csrf)}
      ${textField({
        name: 'email',
        label: 'Your email address',
        type: 'email',
        autocomplete: 'email',
        value: form.get('email') ?? (form.size === 0 ? visitor.account?.email : undefined),
        hint: 'The operator will reply to this address.',
        problems,
      })}
      ${textArea({ name: 'message', label: 'Message', value: form.get('message'), rows: 7, problems })}
      <button class="primary" type="submit">Send message</button>
    </form>
  </section>`;
}

function thanksForm({ csrf, form, problems }: View): SafeHtml {
  return html`<section class="card">
    <h1>Say thanks</h1>
    <p class="muted">Tell the people behind the service what works well for you.</p>
    <form method="post" action="/thanks/">
      ${hidden('csrf', csrf)}
      ${textArea({ name: 'message', label: 'Message', value: form.get('message'), rows: 5, problems })}
      <button class="primary" type="submit">Send thanks</button>
    </form>
  </section>`;
}

function launchForm({ csrf, form, problems, visitor }: View): SafeHtml {
  return html`<section class="card">
    <h1>Launch notice</h1>
    <p class="muted">You'll get one email when something new launches, and nothing else.</p>
    <form method="post" action="/launch/">
      ${hidden('csrf', csrf)}
      ${textField({
        name: 'email',
        label: 'Email address',
        type: 'email',
        autocomplete: 'email',
        value: form.get('email') ?? (form.size === 0 ? visitor.account?.email : undefined),
        problems,
      })}
      <button class="primary" type="submit">Notify me</button>
    </form>
  </section>`;
}
