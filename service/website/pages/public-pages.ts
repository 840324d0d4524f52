// Pages for everybody: the start page and the terms.
import { html, type SafeHtml } from '@remix-run/html-template';
import { icon, type IconName } from '#service/website/layout/icons.ts';
import type { PageRoutes } from '#service/website/layout/page-routes.ts';

export function registerPublicPages(routes: PageRoutes, { baseUrl }: { baseUrl: string }): void {
  routes.page({
    path: '/',
    title: 'Weather, and a ring when it rains',
    view: ({ visitor }) => start(baseUrl, visitor.account !== undefined),
  });
  routes.page({ path: '/terms', title: 'Terms of service', width: 'narrow', view: terms });
}

function start(baseUrl: string, isSignedIn: boolean): SafeHtml {
  return html`<section class="hero">
      <div>
        <h1>Weather for your app, and a ring when it rains.</h1>
        <p>
          Current weather and 72 hours ahead for any point on the globe, and a callback to your server when rain, snow
          or hail comes near a place you watch.
        </p>
        <div class="actions">
          ${
            isSignedIn
              ? html`<a class="button primary" href="/applications/">Your applications ${icon('arrow')}</a>`
              : html`<a class="button primary" href="/register/">Create an account ${icon('arrow')}</a>`
          }
          <a class="button" href="/documentation/">Read the documentation</a>
        </div>
      </div>
      ${sample(baseUrl)}
    </section>
    <section class="columns" aria-label="What it does">
      ${feature('cloud', 'Forecast', 'One request gives the current point and the next 72 hours: status, icon, the height of the sun, and the sources it came from.')}
      ${feature('rain', 'Monitors', 'Register a place and an address. When precipitation comes near, we POST the monitor to you, at most once an hour.')}
      ${feature('key', 'OAuth 2.0', 'Client credentials for your server, the authorization dialog for your users, refresh tokens for both. Any OAuth library will do.')}
    </section>
    <h2 class="section-title">From zero to rain in four steps</h2>
    <ol class="columns steps">
      ${step('Create an account', 'A username, a password, an email address.')}
      ${step('Choose a plan', 'The free one is enough to begin with.')}
      ${step('Create an application', 'It gets a client id, and a client secret that is shown once.')}
      ${step('Register a monitor', 'Your server hears of the next rain.')}
    </ol>`;
}

function feature(name: IconName, title: string, words: string): SafeHtml {
  return html`<article class="card feature">
    ${icon(name)}
    <h2>${title}</h2>
    <p>${words}</p>
  </article>`;
}

function step(title: string, words: string): SafeHtml {
  return html`<li class="card">
    <h3>${title}</h3>
    <p class="muted">${words}</p>
  </li>`;
}

function sample(baseUrl: string): SafeHtml {
  return html`<pre
    tabindex="0"
    aria-label="Example requests"
  ><code><span class="c"># a token for your application</span>
curl ${baseUrl}<span class="k">/token/</span> \\
  -u <span class="s">CLIENT_ID:CLIENT_SECRET</span> \\
  -d grant_type=<span class="s">client_credentials</span>

<span class="c"># a ring when it rains in Torino</span>
curl ${baseUrl}<span class="k">/v2/monitors/</span> \\
  -H <span class="s">"Authorization: Bearer ACCESS_TOKEN"</span> \\
  -H <span class="s">"Content-Type: application/json"</span> \\
  -d <span class="s">'{"monitor_type": "precipitation",
       "callback_uri": "https://example.org/rain",
       "geo": {"lat": 45.07, "lng": 7.69}}'</span></code></pre>`;
}

function terms(): SafeHtml {
  return html`<article class="card prose">
    <h1>Terms of service</h1>
    <p>By creating an application you agree to these terms.</p>
    <ol>
      <li>Keep client secrets, webhook secrets and passwords private. Whoever has them acts in your name.</li>
      <li>Call the service within the limits of your plan. Beyond them it answers 429 and says when to try again.</li>
      <li>Let monitors call only addresses that are yours, or whose owner agrees.</li>
      <li>
        Tell people what your application does with the permissions that they give it, and post reports only as they
        ask.
      </li>
      <li>A forecast can be wrong. Do not let safety depend on it alone.</li>
      <li>The sources of a weather point are named in it. Name them too, where you show it.</li>
      <li>The operator may end access that harms the service or others.</li>
    </ol>
  </article>`;
}
