// The guide at the head of the documentation.
import { html, type SafeHtml } from '@remix-run/html-template';
import { clientExamples, type Language, languages } from './client-examples.ts';

export function guide(baseUrl: string): SafeHtml {
  return html`<article class="prose">
    <h1>Documentation</h1>
    <p>
      The API's base URL is <code>${baseUrl}</code>. The OpenAPI description is at
      <a href="/v2/openapi.json">/v2/openapi.json</a>.
    </p>

    <h2 id="first-steps">First steps</h2>
    <ol>
      <li><a href="/register/">Create an account</a> and choose a <a href="/plans/">plan</a>.</li>
      <li><a href="/applications/new/">Create an application</a> and copy its client ID and client secret.</li>
      <li>Exchange them for an access token:</li>
    </ol>
    <pre tabindex="0"><code>curl '${baseUrl}/token/' \\
  -u 'CLIENT_ID:CLIENT_SECRET' \\
  -d 'grant_type=client_credentials'</code></pre>
    <ol start="4">
      <li>Send the token with each request:</li>
    </ol>
    <pre tabindex="0"><code>curl '${baseUrl}/v2/weather/?location_lat=45.07&location_lng=7.69' \\
  -H 'Authorization: Bearer ACCESS_TOKEN'</code></pre>

    <h2 id="access">Access</h2>
    <p>
      An access token is valid for <code>expires_in</code> seconds. After that, requests return 401. Get a new access
      token with <code>grant_type=refresh_token</code>. A confidential client can reuse its refresh token. A public
      client gets a new refresh token each time, and reusing an old one revokes the permission.
    </p>
    <p>
      Send tokens only in the <code>Authorization</code> header. Revoke a token with
      <code>POST /token/revoke/</code> (RFC 7009). The
      <a href="/.well-known/oauth-authorization-server">server metadata</a> (RFC 8414) lists what the service supports.
    </p>

    <h2 id="users">User tokens</h2>
    <p>To act on behalf of a user, open the sign-in page in a browser:</p>
    <pre
      tabindex="0"
    ><code>${baseUrl}/oauth/authorize/?client_id=CLIENT_ID&response_type=code&redirect_uri=REDIRECT_URI&scope=post_metag&state=RANDOM</code></pre>
    <p>
      The browser returns to your redirect URL with <code>state</code> and <code>code</code>. Check that
      <code>state</code> matches the value you sent and that <code>iss</code> is <code>${baseUrl}</code> (RFC 9207),
      then exchange the code within a minute, using the same <code>redirect_uri</code>. Use PKCE (<code>S256</code>) in
      every public client; the “Require PKCE” setting rejects requests without it. With
      <code>response_type=token</code>, the URL fragment contains the access token itself.
    </p>

    <h2 id="callbacks">Callbacks</h2>
    <p>
      When precipitation comes near a monitor, its <code>callback_uri</code> receives a POST with the monitor as JSON,
      at most once an hour. Respond with 2xx. After 408, 425, 429, 5xx, or no response, the service retries within that
      hour, with the same <code>webhook-id</code>. After any other response, the event fails; 410 also turns off
      delivery for the monitor. Callbacks are signed (Standard Webhooks); create the secret on your application's
      Webhooks page.
    </p>

    ${examples(baseUrl)}

    <h2 id="errors">Errors and limits</h2>
    <p>
      Errors are JSON: <code>{"error": "invalid_request", "error_description": "…"}</code>. An application that exceeds
      its plan's limits gets 429 with <code>Retry-After</code>. The <code>RateLimit</code> header in each response shows
      how many requests remain for the current minute and day.
    </p>
  </article>`;
}

/** Shows an example in each language, in columns if they fit. */
function examples(baseUrl: string): SafeHtml {
  return html`<h2 id="examples">Examples</h2>
    <p>
      The examples require no packages, except to verify a callback in TypeScript (<code
        >npm install standardwebhooks</code
      >).
    </p>
    <h3 id="typed-client">Generate a typed client</h3>
    <p>
      Generate TypeScript types from the OpenAPI description, and pass them to
      <a href="https://openapi-ts.dev/openapi-fetch/">openapi-fetch</a>:
    </p>
    <pre tabindex="0"><code>npx openapi-typescript '${baseUrl}/v2/openapi.json' -o weather-api.d.ts
npm install openapi-fetch</code></pre>
    <pre tabindex="0"><code>import createClient from 'openapi-fetch';
import type { paths } from './weather-api.d.ts';
const client = createClient&lt;paths&gt;({ baseUrl: '${baseUrl}' });</code></pre>
    ${clientExamples(baseUrl).map(
      ({ id, title, about, code }) =>
        html`<h3 id="example-${id}">${title}</h3>
          <p>${about}</p>
          <div class="columns">
            ${(Object.keys(languages) as Language[]).map(
              (language) =>
                html`<div>
                  <h4>${language === 'curl' && id === 'callback' ? 'Shell' : languages[language]}</h4>
                  <pre tabindex="0"><code data-example="${id}-${language}">${code[language]}</code></pre>
                </div>`,
            )}
          </div>`,
    )}`;
}
