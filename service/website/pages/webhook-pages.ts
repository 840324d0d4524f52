// An application's webhooks: the secret that signs its callbacks, and the URL that gets operational webhooks.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Application, ApplicationStore } from '#service/accounts/application-store.ts';
import type { OperationalAttempt, OperationalWebhooks } from '#service/delivery/outbox/operational-webhooks.ts';
import type { WebhookSecrets } from '#service/delivery/signing/webhook-secrets.ts';
import { readCallback } from '#service/monitors/read-callback.ts';
import { timeText } from '#service/website/layout/dates.ts';
import { hidden, textField } from '#service/website/layout/fields.ts';
import { refuseProblems } from '#service/website/layout/form-error.ts';
import { icon } from '#service/website/layout/icons.ts';
import type { OwnView, PageRoutes } from '#service/website/layout/page-routes.ts';
import { ownApplication } from './application-pages.ts';
import { applicationHead } from './application-views.ts';
import { table } from './operator-frame.ts';

type Dependencies = {
  applications: ApplicationStore;
  secrets: WebhookSecrets;
  webhooks: OperationalWebhooks;
  hostProblem: (url: string) => Promise<string | undefined>;
};

const section = '/applications/';
const maxUrlLength = 2_000;

export function registerWebhookPages(
  routes: PageRoutes,
  { applications, secrets, webhooks, hostProblem }: Dependencies,
): void {
  const own = ({ account, id }: OwnView) => ownApplication(applications, account.id, id);
  const show = async (view: OwnView, application: Application, secret?: string) => {
    const [url, attempts] = await Promise.all([webhooks.urlOf(application.id), webhooks.attempts(application.id)]);
    return webhookPage(view, application, { secret, url, attempts });
  };

  routes.ownForm({
    path: '/applications/:id/webhook',
    title: 'Webhooks',
    section,
    view: async (view) => show(view, await own(view)),
    async submit(view) {
      const application = await own(view);
      return { show: await show(view, application, await secrets.rotate(application.id)) };
    },
  });

  routes.ownForm({
    path: '/applications/:id/operational-webhook',
    title: 'Webhooks',
    section,
    view: async (view) => show(view, await own(view)),
    async submit(view) {
      const application = await own(view);
      const url = (view.form.get('url') ?? '').trim();
      if (url !== '') refuseProblems('data_problem', { url: await urlProblem(url) });
      await webhooks.set(application.id, url === '' ? undefined : url);
      return { goTo: `/applications/${application.id}/webhook/`, feedback: 'operational_webhook_saved' };
    },
  });

  /** The rules of callback URLs, except that a password is refused instead of stored. */
  async function urlProblem(url: string): Promise<string | undefined> {
    if (url.length > maxUrlLength) return `Enter at most ${maxUrlLength} characters.`;
    const callback = readCallback(url);
    if (typeof callback === 'string') return `The URL ${callback}.`;
    if (callback.credentials !== undefined) return 'The URL must not contain a username or password.';
    const problem = await hostProblem(url);
    return problem === undefined ? undefined : `This URL can't be used: its host ${problem}.`;
  }
}

type Shown = { secret: string | undefined; url: string | undefined; attempts: readonly OperationalAttempt[] };

function webhookPage(view: OwnView, application: Application, { secret, url, attempts }: Shown): SafeHtml {
  return html`${applicationHead(application, 'webhook/')}
    <div class="split">
      <div class="stack">${secretCard(view, application, secret)} ${operationalCard(view, application, url)}</div>
      <section class="card">
        <h2>Verify a callback</h2>
        <p>
          Callbacks have the Standard Webhooks headers: <code>webhook-id</code>, <code>webhook-timestamp</code>, and
          <code>webhook-signature</code>.
        </p>
        <p class="muted">
          Sign <code>id.timestamp.body</code> with HMAC-SHA-256. As the key, use the base64-decoded part of the secret
          after <code>whsec_</code>. Encode the result in base64, and compare it with the text after <code>v1,</code> in
          each of the header's signatures. If the header contains a <code>v1a,…</code> signature, anyone can verify it
          with the Ed25519 key at <a href="/.well-known/webhook-keys.json">webhook-keys.json</a>.
        </p>
      </section>
    </div>
    ${attemptTable(attempts)}`;
}

function secretCard({ csrf }: OwnView, { id }: Application, secret: string | undefined): SafeHtml {
  return html`<section class="card">
    <h2>Webhook secret</h2>
    ${
      secret === undefined
        ? html`<p>
            Callbacks for this application are signed with a secret so that your server can verify the sender.
          </p>`
        : html`<p><code class="secret" data-credential="webhook_secret">${secret}</code></p>
            <div class="note">
              ${icon('alert')}
              <p>
                Copy the secret now: it won't be shown again. For the next 24 hours, callbacks will also be signed with
                the old one.
              </p>
            </div>`
    }
    <form method="post" action="/applications/${id}/webhook/">
      ${hidden('csrf', csrf)}
      <div class="actions">
        <button class="${secret === undefined ? 'primary' : ''}" type="submit">
          ${icon('key')} New webhook secret
        </button>
      </div>
    </form>
  </section>`;
}

function operationalCard({ csrf, form, problems }: OwnView, { id }: Application, url: string | undefined): SafeHtml {
  return html`<section class="card">
    <h2>Operational webhook</h2>
    <p>
      Get an event when callbacks for this application fail, when delivery is turned off, or when callbacks start
      working again. The event is signed with the same secret. Its <code>type</code> is <code>endpoint.failing</code>,
      <code>endpoint.disabled</code>, or <code>endpoint.recovered</code>.
    </p>
    <form method="post" action="/applications/${id}/operational-webhook/">
      ${hidden('csrf', csrf)}
      ${textField({
        name: 'url',
        label: 'URL',
        type: 'url',
        value: form.get('url') ?? url,
        problems,
        isOptional: true,
        placeholder: 'https://ops.example.com/rainbell',
        hint: 'Use a different server than the one that receives callbacks. Leave empty to turn this off.',
      })}
      <button type="submit">Save</button>
    </form>
  </section>`;
}

function attemptTable(attempts: readonly OperationalAttempt[]): SafeHtml {
  if (attempts.length === 0) return html``;
  return html`<h2 class="section-title">Latest operational webhooks</h2>
    ${table({
      label: 'Latest operational webhooks',
      columns: [
        { title: 'Time' },
        { title: 'Event' },
        { title: 'Attempt', isNumber: true },
        { title: 'Result' },
        { title: 'Duration', isNumber: true },
      ],
      rows: attempts,
      cells: ({ started_at, event_id, attempt, http_status, error, latency_ms }) => [
        timeText(Number(started_at)),
        html`<code>${event_id}</code>`,
        String(attempt),
        html`<span class="chip ${error === null ? 'good' : 'bad'}">${http_status ?? 'no response'}</span>
          ${http_status === null ? (error ?? '') : ''}`,
        `${latency_ms} ms`,
      ],
      empty: { icon: 'hook', title: 'No operational webhooks yet' },
    })}`;
}
