// The start page, and the terms and privacy pages, which describe what this software does.
import { html, type SafeHtml } from '@remix-run/html-template';
import { codeBlock } from '../layout/code.ts';
import { icon } from '../layout/icons.ts';
import type { PageRoutes, View } from '../layout/page-routes.ts';
import type { Website } from '../website.ts';
import { callbackExample, weatherExample } from './response-examples.ts';

export function registerPublicPages(routes: PageRoutes, { baseUrl, config: { operatorEmail } }: Website): void {
  routes.page({
    path: '/',
    title: 'Weather forecasts and rain callbacks',
    hasScript: true,
    view: (view) => start(baseUrl, view),
  });
  routes.page({ path: '/terms', title: 'Terms of service', width: 'narrow', view: () => terms(operatorEmail) });
  routes.page({ path: '/privacy', title: 'Privacy', width: 'narrow', view: () => privacy(operatorEmail) });
}

function start(baseUrl: string, { visitor, canRegister }: View): SafeHtml {
  return html`<section class="hero">
      <div>
        <h1>Forecasts for your app, and a callback when it rains.</h1>
        <p>
          Current weather and a 72-hour forecast for any location on the globe, and a callback to your server when rain,
          snow, or hail comes near a location you monitor.
        </p>
        <div class="actions">
          ${
            visitor.account
              ? html`<a class="button primary" href="/applications/">Your applications ${icon('arrow')}</a>`
              : canRegister
                ? html`<a class="button primary" href="/register/">Create an account ${icon('arrow')}</a>`
                : html`<a class="button primary" href="/sign-in/">Sign in ${icon('arrow')}</a>`
          }
          <a class="button" href="/documentation/">Read the documentation</a>
        </div>
      </div>
      ${sample(baseUrl)}
    </section>
    <section class="columns" aria-label="What comes back">
      <div>
        <h2>The response</h2>
        ${codeBlock(weatherExample, 'weather response')}
      </div>
      <div>
        <h2>The callback</h2>
        ${codeBlock(callbackExample, 'callback')}
      </div>
    </section>`;
}

function sample(baseUrl: string): SafeHtml {
  return codeBlock(
    `# Get the weather
curl '${baseUrl}/v2/weather/?location_lat=45.07&location_lng=7.69' \\
  -H 'Authorization: Bearer ACCESS_TOKEN'

# Get a callback when it rains there
curl '${baseUrl}/v2/monitors/' \\
  -H 'Authorization: Bearer ACCESS_TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{"monitor_type": "precipitation",
       "callback_uri": "https://example.org/rain",
       "geo": {"lat": 45.07, "lng": 7.69}}'`,
    'example requests',
  );
}

function terms(operatorEmail: string): SafeHtml {
  return html`<article class="card prose">
    <h1>Terms of service</h1>
    <p>You agree to these terms when you create an account or an application.</p>
    <ol>
      <li>Keep client secrets, webhook secrets, and passwords private. Anyone who has them can act on your behalf.</li>
      <li>
        Stay within your plan's limits. If you exceed them, the service returns 429 and the time after which you can
        retry.
      </li>
      <li>Use only callback URLs that you own or whose owner has given you permission.</li>
      <li>
        Tell users what your application does with the permissions they grant, and post reports only when they ask you
        to.
      </li>
      <li>Forecasts can be wrong. Do not rely only on them for safety.</li>
      <li>Each weather point names its sources. Credit them wherever you show the data.</li>
      <li>The operator may terminate access that harms the service or others.</li>
    </ol>
    ${operator(operatorEmail)}
    <p class="muted">See also the <a href="/privacy/">privacy page</a>.</p>
  </article>`;
}

function privacy(operatorEmail: string): SafeHtml {
  return html`<article class="card prose">
    <h1>Privacy</h1>
    <p>
      This page describes what data this service stores about you and for how long. The service has no advertising or
      tracking.
    </p>
    <h2>Your account</h2>
    <p>
      The service stores your username, your email address, and a hash of your password until you
      <a href="/account/">delete the account</a>. It stores your contracts, applications, monitors with their locations
      and callback URLs, and each application's daily request counts until you delete them or the account.
    </p>
    <h2>Your use of the service</h2>
    <ul>
      <li>Delivery attempts, including the start of your server's response: 30 days.</li>
      <li>
        Emails that the service sent you, and messages that you sent to the operator, such as the request for a launch
        notice: 30 days.
      </li>
      <li>Weather reports posted on your behalf, with their locations: 1 day.</li>
      <li>Permissions that you granted to applications, and hashes of their tokens: until you revoke them.</li>
      <li>
        Operators' changes to your account or applications: in the service's log, as long as the operator keeps that.
      </li>
      <li>
        IP addresses, used to limit the number of attempts: in memory, or as a hash in the database, for about an hour.
      </li>
    </ul>
    <h2>Cookies</h2>
    <p>
      The website uses two cookies: one for your session, which lasts at most 14 days after you sign in, and one that
      passes a message to the next page. Both are necessary, and neither is shared.
    </p>
    <h2>Who else receives data</h2>
    <p>
      Weather providers receive the coordinates of requested locations, never your name or IP address. Your callback
      URLs receive your monitors' events. The operator's mail server receives the emails that the service sends.
    </p>
    ${operator(operatorEmail)}
  </article>`;
}

/** The domain `.invalid` is the default and receives no email. */
function operator(operatorEmail: string): SafeHtml {
  return html`<h2>Operator</h2>
    ${
      operatorEmail.endsWith('.invalid')
        ? html`<p>Use the <a href="/contact/">contact form</a>.</p>`
        : html`<p>
            Write to <a href="mailto:${operatorEmail}">${operatorEmail}</a>, or use the
            <a href="/contact/">contact form</a>.
          </p>`
    }`;
}
