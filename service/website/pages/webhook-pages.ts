// An application's webhook secret, which signs its callbacks.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Application } from '../../accounts/application-store.ts';
import type { WebhookSecrets } from '../../monitors/delivery/signing.ts';
import { hidden } from '../layout/fields.ts';
import { icon } from '../layout/icons.ts';
import type { OwnView, PageRoutes } from '../layout/page-routes.ts';
import { applicationHead, credential } from './application-views.ts';

export function registerWebhookPages(routes: PageRoutes, { secrets }: { secrets: WebhookSecrets }): void {
  routes.ownForm({
    path: '/applications/:id/webhook',
    title: 'Webhooks',
    section: '/applications/',
    view: async (view) => webhookPage(view, await routes.application(view)),
    async submit(view) {
      const application = await routes.application(view);
      return { show: webhookPage(view, application, await secrets.rotate(application.id)) };
    },
  });
}

function webhookPage(view: OwnView, application: Application, secret?: string): SafeHtml {
  return html`${applicationHead(application, 'webhook/')}
    <div class="split">
      ${secretCard(view, application, secret)}
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
    </div>`;
}

function secretCard({ csrf }: OwnView, { id }: Application, secret: string | undefined): SafeHtml {
  return html`<section class="card">
    <h2>Webhook secret</h2>
    ${
      secret === undefined
        ? html`<p>
            Callbacks for this application are signed with a secret so that your server can verify the sender.
          </p>`
        : html`${credential('webhook secret', secret)}
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
