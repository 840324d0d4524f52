// The first pages of a service at home (`--home`): the account, where to send rain events, and a test event. Each later monitor starts
// at the second page.
import { html, type SafeHtml } from '@remix-run/html-template';
import { passwordProblem, usernameProblem } from '../../accounts/account-rules.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import type { Fleet } from '../../limits/limiter.ts';
import type { WebhookSecrets } from '../../monitors/delivery/signing.ts';
import { eventChoices, optionsOf, products } from '../../setup/products.ts';
import { describeTest, homeAccount, parsePlace, type Setup, type TestResult } from '../../setup/set-up.ts';
import type { SetupCode } from '../../setup/setup-code.ts';
import { codeBlock } from '../layout/code.ts';
import { hidden, radioGroup, textField } from '../layout/fields.ts';
import { atField, FormError, refuseProblems } from '../layout/form-error.ts';
import { icon } from '../layout/icons.ts';
import type { OwnView, PageRoutes, View } from '../layout/page-routes.ts';
import type { Visitors } from '../layout/visitor.ts';
import { credential } from './application-views.ts';

type Dependencies = {
  accounts: AccountStore;
  visitors: Visitors;
  secrets: WebhookSecrets;
  fleet?: Fleet;
  setup: Setup;
  /** Undefined if there is an account already. */
  code: SetupCode | undefined;
};

const codeLimit = { name: 'setup code', max: 20, windowSeconds: 600 };
const usedLink =
  'This link was used before, or its 15 minutes are over. If you have an account, sign in. Otherwise, restart the service: it prints a new link.';

export function registerSetupPages(routes: PageRoutes, needs: Dependencies): void {
  const { accounts, visitors, setup, code } = needs;
  const countCode = createCountGuard(needs.fleet, codeLimit, 'setup codes');
  const requireCode = async (given: string | null | undefined, address: string) => {
    if (code?.accepts(given ?? '')) return code;
    await countCode(address);
    throw new ServiceError('access_denied', usedLink);
  };

  routes.form({
    path: '/setup',
    title: 'Set up Rainbell',
    width: 'narrow',
    async view(view) {
      await requireCode(view.form.get('code') ?? view.query.get('code'), view.address);
      return accountForm(view);
    },
    async submit({ visitor, form, address }, { reply }) {
      const valid = await requireCode(form.get('code'), address);
      const [username, password] = [form.get('username')?.trim() ?? '', form.get('password') ?? ''];
      refuseProblems('data_problem', { username: usernameProblem(username), password: passwordProblem(password) });
      const account = await valid.useFor(() => accounts.create(homeAccount(username, password)));
      await visitors.signIn(reply, visitor, account);
      return { goTo: '/setup/monitor/' };
    },
  });

  /** Client secrets that were not shown yet, by application. */
  const unseen = new Map<string, string>();
  routes.ownForm({
    path: '/setup/monitor',
    title: 'Choose a place and a target',
    width: 'narrow',
    view: monitorForm,
    async submit({ account, form }) {
      const place = parsePlace(form.get('place') ?? '');
      const product = products.find(({ id }) => id === form.get('product'));
      const rate = Number((form.get('rate') ?? '').replace(',', '.'));
      refuseProblems('data_problem', {
        place: typeof place === 'string' ? place : undefined,
        product: product ? undefined : 'Choose what receives the events.',
        callback: form.get('callback') ? undefined : 'Enter the URL that receives the events.',
      });
      if (typeof place === 'string' || !product) throw new FormError('form_corrupted');
      const application = await setup.application(account.id);
      if (application.clientSecret !== undefined) unseen.set(application.id, application.clientSecret);
      const options = optionsOf(product.payload, form.get('events') ?? '', rate);
      const callback_uri = form.get('callback')?.trim() ?? '';
      const { id } = await setup.addMonitor(application.id, { callback_uri, geo: place, ...options }).catch(orField);
      return { goTo: `/setup/test/${id}/` };
    },
  });

  routes.ownForm({
    path: '/setup/test/:id',
    title: 'Send a test event',
    width: 'narrow',
    async view(view) {
      const { id } = await setup.application(view.account.id);
      const callback = view.form.get('callback') ?? (await setup.monitor(id, view.id)).callback_uri;
      return html`<section class="card">
        ${step(3, 'Send a test event')}
        <p>It is signed and sent like a real one, and says that it is a test.</p>
        ${testForm(view, callback, 'Send a test event')}
      </section>`;
    },
    async submit(view) {
      const { id, clientId } = await setup.application(view.account.id);
      const callback = view.form.get('callback')?.trim() ?? '';
      if (callback !== (await setup.monitor(id, view.id)).callback_uri)
        await setup.changeCallback(id, view.id, callback).catch(orField);
      const result = await setup.sendTest(id, view.id).catch(orField);
      const another = html`<a class="button" href="/setup/monitor/">Add another monitor</a>`;
      if (!result.isGood)
        return {
          show: html`<section class="card">
            ${step(3, 'The test event was not accepted')} ${resultView(result)}
            <p>Check the URL and what runs there, and try again.</p>
            ${testForm(view, callback, 'Send again')}
            <div class="actions">${another}</div>
          </section>`,
        };
      const clientSecret = unseen.get(id);
      unseen.delete(id);
      const [webhookSecret = ''] = await needs.secrets.activeFor(id);
      return {
        show: html`<section class="card">
          ${step(3, 'The test event arrived')} ${resultView(result)}
          ${secretsView(id, webhookSecret, clientId, clientSecret)}
          <div class="actions">
            <a class="button primary" href="/applications/${id}/events/">Go to events</a>
            <a class="button" href="/setup/test/${view.id}/">Send another</a> ${another}
          </div>
        </section>`,
      };
    },
  });
}

const orField = atField([
  { member: 'callback_uri', field: 'callback', label: 'The URL' },
  { member: 'conditions.min_precipitation_rate', field: 'rate', label: 'This' },
]);

function step(number: number, title: string): SafeHtml {
  return html`<p class="muted">Step ${number} of 3</p>
    <h1>${title}</h1>`;
}

function accountForm({ csrf, form, query, problems }: View): SafeHtml {
  return html`<section class="card">
    ${step(1, 'Create your account')}
    <p class="muted">It manages this service. Only you can create more accounts.</p>
    <form method="post" action="/setup/">
      ${hidden('csrf', csrf)} ${hidden('code', form.get('code') ?? query.get('code') ?? '')}
      ${textField({ name: 'username', label: 'Username', value: form.get('username'), problems, autocomplete: 'username', isFocused: true })}
      ${textField({ name: 'password', label: 'Password', hint: 'At least 8 characters. You sign in with it later.', problems, type: 'password', autocomplete: 'new-password' })}
      <button class="primary wide" type="submit">Continue</button>
    </form>
  </section>`;
}

function monitorForm({ csrf, form, problems }: OwnView): SafeHtml {
  const value = (name: string, initial?: string) => ({ name, value: form.get(name) ?? initial, problems });
  return html`<section class="card">
    ${step(2, 'Choose a place and a target')}
    <form method="post" action="/setup/monitor/">
      ${hidden('csrf', csrf)}
      ${textField({ ...value('place'), label: 'Place', placeholder: '59.91, 10.75', hint: 'The name of a town, or latitude and longitude.', isFocused: true })}
      ${radioGroup({ ...value('product', 'home-assistant'), label: 'What should receive the events?', options: products.map(({ id, name, url }) => ({ value: id, text: name, hint: url })) })}
      ${textField({ ...value('callback'), label: 'Its URL', type: 'url', hint: 'Like the example above. Use the IP address of the computer, not localhost or a .local name.' })}
      ${radioGroup({ ...value('events', eventChoices[0].value), label: 'When?', hint: 'OpenSprinkler gets a request each hour while it rains.', options: eventChoices })}
      ${textField({ ...value('rate', '0.1'), label: 'Ignore less than', hint: 'In mm/h, from 0.1 (drizzle) to 50. OpenSprinkler counts everything.' })}
      <button class="primary wide" type="submit">Continue</button>
    </form>
  </section>`;
}

function testForm({ csrf, id, problems }: OwnView, callback: string, action: string): SafeHtml {
  return html`<form method="post" action="/setup/test/${id}/">
    ${hidden('csrf', csrf)} ${textField({ name: 'callback', label: 'URL', type: 'url', value: callback, problems })}
    <button class="primary wide" type="submit">${action}</button>
  </form>`;
}

function resultView(result: TestResult): SafeHtml {
  return html`<p><span class="chip ${result.isGood ? 'good' : 'bad'}">${describeTest(result)}</span></p>
    ${result.http_status === null ? '' : result.answer === '' ? html`<p class="muted">The response has no text.</p>` : codeBlock(result.answer, 'start of the response')}`;
}

function secretsView(applicationId: string, webhookSecret: string, clientId: string, clientSecret?: string): SafeHtml {
  if (clientSecret === undefined)
    return html`<p class="muted">
      The secrets were shown before. <a href="/applications/${applicationId}/webhook/">Create a new webhook secret</a>
    </p>`;
  return html`<h2>Webhook secret</h2>
    <p class="muted">Verifies that an event is from this service.</p>
    ${credential('webhook secret', webhookSecret)}
    <h2>Client ID and client secret</h2>
    <p class="muted">For the API and the Rainbell app.</p>
    ${credential('client ID', clientId)} ${credential('client secret', clientSecret)}
    <div class="note">
      ${icon('alert')}
      <p>Copy the secrets now if you need them: they won't be shown again.</p>
    </div>`;
}
