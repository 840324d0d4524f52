// The documentation's text, by subject. Each page shows its operations below it.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Operation } from '../../http/operation.ts';
import { codeBlock, codeTabs } from '../layout/code.ts';
import { clientExamples, languages } from './client-examples.ts';
import { callbackExample, weatherExample } from './response-examples.ts';

/** `clientId`: that of the visitor's application, or a placeholder. */
export type GuideContext = { baseUrl: string; clientId: string; canRegister: boolean };

type Subject = {
  path: string;
  title: string;
  text: (context: GuideContext) => SafeHtml;
  groups: readonly Operation['group'][];
};

export const subjects: readonly Subject[] = [
  { path: '', title: 'First steps', text: firstSteps, groups: [] },
  { path: 'access/', title: 'Access tokens', text: accessTokens, groups: ['Access'] },
  { path: 'weather/', title: 'Weather', text: weather, groups: ['Weather'] },
  { path: 'monitors/', title: 'Monitors', text: monitors, groups: ['Monitors'] },
  { path: 'callbacks/', title: 'Callbacks', text: callbacks, groups: ['Delivery'] },
  { path: 'reports/', title: 'Reports', text: reports, groups: ['Reports'] },
  { path: 'service/', title: 'Service and sandbox', text: service, groups: ['Service', 'Sandbox'] },
  { path: 'errors/', title: 'Errors and limits', text: errors, groups: [] },
];

export function subjectOf(group: Operation['group']): Subject {
  const subject = subjects.find(({ groups }) => groups.includes(group));
  if (!subject) throw new Error(`The documentation has no page for ${group}.`);
  return subject;
}

function firstSteps({ baseUrl, clientId, canRegister }: GuideContext): SafeHtml {
  return html`<p>
      The API's base URL is <code>${baseUrl}</code>. The OpenAPI description is at
      <a href="/v2/openapi.json">/v2/openapi.json</a>.
    </p>
    <ol>
      <li>
        ${canRegister ? html`<a href="/register/">Create an account</a>` : 'Ask the operator for an account, and sign in'}
        with an application. You get a client ID and a client secret.
      </li>
      <li>Exchange them for an access token:</li>
    </ol>
    ${codeBlock(`curl '${baseUrl}/token/' \\\n  -u '${clientId}:CLIENT_SECRET' \\\n  -d 'grant_type=client_credentials'`, 'token request')}
    <ol start="3">
      <li>Send the token with each request:</li>
    </ol>
    ${codeBlock(`curl '${baseUrl}/v2/weather/?location_lat=45.07&location_lng=7.69' \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`, 'weather request')}
    <p>The response has the current weather and the next 72 hours, one object for each point:</p>
    ${codeBlock(weatherExample, 'weather response')}
    <p>Next: <a href="/documentation/monitors/">create a monitor</a>, which sends a callback when rain is near.</p>`;
}

function accessTokens({ baseUrl, clientId }: GuideContext): SafeHtml {
  return html`<p>
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
    ${codeBlock(`${baseUrl}/oauth/authorize/?client_id=${clientId}&response_type=code&redirect_uri=REDIRECT_URI&scope=post_metag&state=RANDOM`, 'sign-in URL')}
    <p>
      The browser returns to your redirect URL with <code>state</code> and <code>code</code>. Check that
      <code>state</code> matches the value you sent and that <code>iss</code> is <code>${baseUrl}</code> (RFC 9207),
      then exchange the code within a minute, using the same <code>redirect_uri</code>. Use PKCE (<code>S256</code>) in
      every public client; the “Require PKCE” setting rejects requests without it. With
      <code>response_type=token</code>, the URL fragment contains the access token itself.
    </p>`;
}

function weather({ baseUrl }: GuideContext): SafeHtml {
  return html`${example(baseUrl, 'weather')}
    <h2 id="typed-client">Generate a typed client</h2>
    <p>
      Generate TypeScript types from the OpenAPI description, and pass them to
      <a href="https://openapi-ts.dev/openapi-fetch/">openapi-fetch</a>:
    </p>
    ${codeBlock(`npx openapi-typescript '${baseUrl}/v2/openapi.json' -o weather-api.d.ts\nnpm install openapi-fetch`, 'commands')}
    ${codeBlock(`import createClient from 'openapi-fetch';\nimport type { paths } from './weather-api.d.ts';\nconst client = createClient<paths>({ baseUrl: '${baseUrl}' });`, 'client')}`;
}

function monitors({ baseUrl }: GuideContext): SafeHtml {
  return html`<p>
      A monitor watches one location. When precipitation comes near it, its <code>callback_uri</code> receives a
      <a href="/documentation/callbacks/">callback</a>, at most once an hour. Monitors require a token from the client
      credentials grant.
    </p>
    ${example(baseUrl, 'monitor')}`;
}

function callbacks({ baseUrl }: GuideContext): SafeHtml {
  return html`<p>
      When precipitation comes near a monitor, its <code>callback_uri</code> receives a POST with the monitor as JSON,
      at most once an hour:
    </p>
    ${codeBlock(callbackExample, 'callback')}
    <p>
      Respond with 2xx. After 408, 425, 429, 5xx, or no response, the service retries within that hour, with the same
      <code>webhook-id</code>. After any other response, the event fails; 410 also turns off delivery for the monitor.
      Callbacks are signed (Standard Webhooks); create the secret on your application's page.
    </p>
    ${example(baseUrl, 'callback')}`;
}

function reports(): SafeHtml {
  return html`<p>
    Reports are observations by users. Posting one requires a user token with <code>post_metag</code>.
  </p>`;
}

function service(): SafeHtml {
  return html`<p>
    These operations describe the service. Those of the sandbox exist only in a local sandbox: they set its weather, its
    clock, and its failures.
  </p>`;
}

function errors(): SafeHtml {
  return html`<p>
    Errors are JSON: <code>{"error": "invalid_request", "error_description": "…"}</code>. An application that exceeds
    its plan's limits gets 429 with <code>Retry-After</code>. The <code>RateLimit</code> header in each response shows
    how many requests remain for the current minute and day.
  </p>`;
}

function example(baseUrl: string, wanted: string): SafeHtml {
  return html`${clientExamples(baseUrl)
    .filter(({ id }) => id === wanted)
    .map(({ id, title, about, code }) => {
      const versions = Object.entries(code).map(([language, text]) => ({
        language,
        name: languages[language as keyof typeof languages],
        code: text,
      }));
      return html`<h2 id="example-${id}">${title}</h2>
        <p>${about}</p>
        ${codeTabs(id, versions)}`;
    })}`;
}
