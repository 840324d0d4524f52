// Messages: to the operator, thanks, and the launch notice (docs/interface.md §7.3).
import { emailProblem } from '../../accounts/account-rules.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import { emailField, type Field } from '../layout/fields.ts';
import { FormError, refuseProblems } from '../layout/form-error.ts';
import { orWarn, type PageRoutes } from '../layout/page-routes.ts';
import type { Website } from '../website.ts';

const messageLimit = 5000;
/** Enough for users, too few to fill a mailbox. */
const sendLimit = { name: 'message', max: 30, windowSeconds: 600 };
const messageField: Field = { name: 'message', label: 'Message', type: 'area' };

export function registerMessagePages(routes: PageRoutes, { mailer, fleet, config }: Website): void {
  const countMessage = createCountGuard(fleet, sendLimit, 'messages');

  async function mailOperator(about: string, message: string, from: string, address: string, reply = {}) {
    await countMessage(address);
    const mail = {
      to: config.operatorEmail,
      subject: `Rainbell: ${about}`,
      text: `${message}\n\n-- \nfrom ${from}\n`,
      whenLimited: 'keep',
      ...reply,
    } as const;
    await orWarn('saving_failed', () => mailer.send(mail));
  }

  routes.form({
    path: '/contact',
    title: 'Contact',
    view: ({ visitor }) => ({
      text: 'Ask the operator a question, report a problem, or request the password grant.',
      fields: [
        {
          ...emailField,
          label: 'Your email address',
          value: visitor.account?.email,
          hint: 'The operator will reply to this address.',
        },
        messageField,
      ],
      button: 'Send message',
    }),
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
    view: () => ({
      text: 'Tell the people behind the service what works well for you.',
      fields: [messageField],
      button: 'Send thanks',
    }),
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
    view: ({ visitor }) => ({
      text: "You'll get one email when something new launches, and nothing else.",
      fields: [{ ...emailField, value: visitor.account?.email }],
      button: 'Notify me',
    }),
    async submit({ form }, { request }) {
      const email = form.get('email')?.trim() ?? '';
      refuseProblems('email_invalid', { email: emailProblem(email) });
      await mailOperator('launch notice', 'Please email me when something new launches.', email, request.ip);
      return { goTo: '/launch/', feedback: 'launch_registered' };
    },
  });
}

function messageProblem(message: string): string | undefined {
  return message.length <= messageLimit ? undefined : `Shorten the message to at most ${messageLimit} characters.`;
}
