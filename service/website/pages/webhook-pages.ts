// An application's webhook secret, which signs its callbacks.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Application } from '../../accounts/application-store.ts';
import { showForm } from '../layout/fields.ts';
import { icon } from '../layout/icons.ts';
import type { OwnView, PageRoutes } from '../layout/page-routes.ts';
import type { Website } from '../website.ts';
import { applicationHead, credential } from './application-views.ts';

export function registerWebhookPages(routes: PageRoutes, { secrets }: Website): void {
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
        <p><a href="/documentation/callbacks/#example-callback">See code that verifies them</a></p>
      </section>
    </div>`;
}

function secretCard(view: OwnView, { id }: Application, secret: string | undefined): SafeHtml {
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
    ${showForm(view, {
      action: `/applications/${id}/webhook/`,
      button: html`${icon('key')} New webhook secret`,
      look: secret === undefined ? 'primary' : '',
    })}
  </section>`;
}
