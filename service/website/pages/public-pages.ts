// The start page.
import { html, type SafeHtml } from '@remix-run/html-template';
import { codeBlock } from '../layout/code.ts';
import { icon } from '../layout/icons.ts';
import type { PageRoutes, View } from '../layout/page-routes.ts';
import type { Website } from '../website.ts';
import { callbackExample, weatherExample } from './response-examples.ts';

export function registerPublicPages(routes: PageRoutes, { baseUrl }: Website): void {
  routes.page({
    path: '/',
    title: 'Weather forecasts and rain callbacks',
    hasScript: true,
    view: (view) => start(baseUrl, view),
  });
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
