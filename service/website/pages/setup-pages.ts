// The first pages of a service at home (`--home`): the account, where to send rain events, and a test event. Each later monitor starts
// at the second page.
import { html, type SafeHtml } from '@remix-run/html-template';
import { toLatLng } from '@rainbell/contract/service-api';
import { passwordProblem, usernameProblem } from '../../accounts/account-rules.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { createCountGuard } from '../../limits/throttle.ts';
import { eventChoices, optionsOf, products } from '../../setup/products.ts';
import {
  createSetup,
  describePlace,
  describeTest,
  homeAccount,
  parsePlace,
  type TestResult,
} from '../../setup/set-up.ts';
import { codeBlock } from '../layout/code.ts';
import { type Field, newPasswordField, usernameField } from '../layout/fields.ts';
import { atField, FormError, refuseProblems } from '../layout/form-error.ts';
import type { PageRoutes } from '../layout/page-routes.ts';
import type { Website } from '../website.ts';
import { credential, secretNote } from './application-views.ts';

const codeLimit = { name: 'setup code', max: 20, windowSeconds: 600 };
const usedLink =
  'This link was used before, or its 15 minutes are over. If you have an account, sign in. Otherwise, restart the service: it prints a new link.';

export function registerSetupPages(routes: PageRoutes, website: Website): void {
  const { accounts, visitors, secrets, setupCode: code } = website;
  const setup = createSetup({ ...website, oauth: website });
  const countCode = createCountGuard(website.fleet, codeLimit, 'setup codes');
  const requireCode = async (given: string, address: string) => {
    if (code?.accepts(given)) return code;
    await countCode(address);
    throw new ServiceError('access_denied', usedLink);
  };

  routes.form({
    path: '/setup',
    title: 'Set up Rainbell',
    async view({ form, query, address }) {
      const given = form.get('code') ?? query.get('code') ?? '';
      await requireCode(given, address);
      return {
        ...step(1, 'Create your account'),
        text: 'It manages this service. Only you can create more accounts.',
        hidden: { code: given },
        fields: [
          { ...usernameField, isFocused: true },
          {
            ...newPasswordField,
            name: 'password',
            label: 'Password',
            hint: 'At least 8 characters. You sign in with it later.',
          },
        ],
        button: 'Continue',
      };
    },
    async submit({ visitor, form, address }, { reply }) {
      const valid = await requireCode(form.get('code') ?? '', address);
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
    view: () => ({ ...step(2, 'Choose a place and a target'), fields: monitorFields, button: 'Continue' }),
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

  const testCard = (callback: string, button = 'Send a test event') => ({
    fields: [{ ...callbackField, label: 'URL', hint: undefined, value: callback }],
    button,
  });
  routes.ownForm({
    path: '/setup/test/:id',
    title: 'Send a test event',
    async view(view) {
      const { id } = await setup.application(view.account.id);
      const { callback_uri, geo } = await setup.monitor(id, view.id);
      return {
        ...step(3, 'Send a test event'),
        above: html`<p>Your monitor is at ${describePlace(toLatLng(geo))}.</p>`,
        text: 'It is signed and sent like a real one, and says that it is a test.',
        ...testCard(callback_uri),
      };
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
          show: {
            ...step(3, 'The test event was not accepted'),
            above: resultView(result),
            text: 'Check the URL and what runs there, and try again.',
            ...testCard(callback, 'Send again'),
            below: html`<div class="actions">${another}</div>`,
          },
        };
      const clientSecret = unseen.get(id);
      unseen.delete(id);
      const [webhookSecret = ''] = await secrets.activeFor(id);
      return {
        show: {
          ...step(3, 'The test event arrived'),
          below: html`${resultView(result)} ${secretsView(id, webhookSecret, clientId, clientSecret)}
            <div class="actions">
              <a class="button primary" href="/applications/${id}/events/">Go to events</a>
              <a class="button" href="/setup/test/${view.id}/">Send another</a> ${another}
            </div>`,
        },
      };
    },
  });
}

const callbackField: Field = {
  name: 'callback',
  label: 'Its URL',
  type: 'url',
  hint: 'Like the example above. Use the IP address of the computer, not localhost or a .local name.',
};
const rateField: Field = {
  name: 'rate',
  label: 'Ignore less than',
  value: '0.1',
  hint: 'In mm/h, from 0.1 (drizzle) to 50. OpenSprinkler counts everything.',
};
const monitorFields: readonly Field[] = [
  {
    name: 'place',
    label: 'Place',
    hint: 'The name of a town, or latitude and longitude: 59.91, 10.75',
    isFocused: true,
  },
  {
    name: 'product',
    label: 'What should receive the events?',
    type: 'radio',
    value: 'home-assistant',
    options: products.map(({ id, name, url }) => ({ value: id, text: name, hint: url })),
  },
  callbackField,
  {
    name: 'events',
    label: 'When?',
    type: 'radio',
    value: eventChoices[0].value,
    hint: 'OpenSprinkler gets a request each hour while it rains.',
    options: eventChoices,
  },
  rateField,
];

const orField = atField({
  callback_uri: { ...callbackField, label: 'The URL' },
  'conditions.min_precipitation_rate': { ...rateField, label: 'This' },
});

const step = (number: number, title: string) => ({ title: `Step ${number} of 3: ${title}` });

function resultView(result: TestResult): SafeHtml {
  return html`<p><span class="chip ${result.isGood ? 'good' : 'bad'}">${describeTest(result)}</span></p>
    ${result.http_status === null ? '' : result.answer === '' ? html`<p class="muted">The response has no text.</p>` : codeBlock(result.answer, 'start of the response')}`;
}

function secretsView(applicationId: string, webhookSecret: string, clientId: string, clientSecret?: string): SafeHtml {
  if (clientSecret === undefined)
    return html`<p class="muted">
      The secrets were shown before. <a href="/applications/${applicationId}/">Create new ones</a>
    </p>`;
  return html`<h2>Webhook secret</h2>
    <p class="muted">Verifies that an event is from this service.</p>
    ${credential('webhook secret', webhookSecret)}
    <h2>Client ID and client secret</h2>
    <p class="muted">For the API, and the Rainbell app on the service’s computer.</p>
    ${credential('client ID', clientId)} ${credential('client secret', clientSecret)}
    ${secretNote("Copy the secrets now if you need them: they won't be shown again.")}`;
}
