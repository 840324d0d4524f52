// Every address that a target answers without a token, as whole requests for a flood: what a browser opens, what a client
// sends before it has a token, and what someone tries with a made-up one.
import { stylesheetPath } from '#service/website/layout/assets.ts';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { iconNames } from '#contract/service-api/vocabulary.ts';
import { hiddenFields } from '#test/service/oauth/dialog-browser.ts';

export type AnonymousRequest = {
  name: string;
  /** One or more whole requests; the connections of a flood take turns. */
  requests: readonly string[];
};

/** A request without a body. */
export function get(host: string, path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
}

/** A request with a form, or another body of the given type. */
export function post(host: string, path: string, body: string, headers = '', type = formType): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\n${headers}` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Of a WebSocket. */
export const upgrade =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const iconPath = `/v2/icons/${iconNames[0]}`;
const formType = 'application/x-www-form-urlencoded';

const pages = [
  '/',
  '/documentation/',
  '/plans/',
  '/terms/',
  '/contact/',
  '/thanks/',
  '/launch/',
  '/register/',
  '/sign-in/',
  '/applications/',
  stylesheetPath,
  '/assets/rainbell.svg',
  '/assets/inter.woff2',
  '/favicon.ico',
  '/nothing/here/',
];

/** Of the service. Some forms are opened first, because their POST needs a cookie and what the form carries. */
export async function serviceRequests(service: ServiceIntroduction): Promise<AnonymousRequest[]> {
  const { host } = new URL(service.baseUrl);
  const dialog = dialogPath(service);
  const single = (name: string, request: string): AnonymousRequest => ({ name, requests: [request] });
  const made = `Authorization: Bearer ${'x'.repeat(43)}\r\n`;
  const guess = `Authorization: Basic ${Buffer.from(`${service.clientId}:wrong`).toString('base64')}\r\n`;
  const password = `username=${encodeURIComponent(service.username)}&password=wrong`;
  return [
    single('GET /oauth/authorize/', get(host, dialog)),
    ...pages.map((path) => single(`GET ${path}`, get(host, path))),
    single('GET /.well-known/…', get(host, '/.well-known/oauth-authorization-server')),
    single('GET /v2/openapi.json', get(host, '/v2/openapi.json')),
    single('GET /v2/icons/…', get(host, iconPath)),
    single('GET /v2/weather/, no token', get(host, '/v2/weather/?location_lat=45.07&location_lng=7.69')),
    single('GET /v2/weather/, made-up token', get(host, '/v2/weather/?location_lat=45.07&location_lng=7.69', made)),
    single('GET /v2/monitors/, no token', get(host, '/v2/monitors/')),
    single('GET /sandbox/state, no token', get(host, '/sandbox/state')),
    single('POST /token/, wrong secret', post(host, '/token/', 'grant_type=client_credentials', guess)),
    single(
      'POST /token/, unknown client',
      post(host, '/token/', 'grant_type=refresh_token&refresh_token=x&client_id=nobody'),
    ),
    {
      name: 'POST /oauth/authorize/sign-in/, wrong password',
      requests: await forms(service, dialog, '/oauth/authorize/sign-in/', password),
    },
    { name: 'POST /sign-in/, wrong password', requests: await forms(service, '/sign-in/', '/sign-in/', password) },
    { name: 'POST /register/, incomplete', requests: await forms(service, '/register/', '/register/', 'username=x') },
  ];
}

function dialogPath({ clientId, redirectUri }: ServiceIntroduction): string {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'post_metag',
    state: 'x',
  });
  return `/oauth/authorize/?${query}`;
}

const formsOpened = 4;

/** POSTs of a form that was opened a few times, each with its own cookie. */
async function forms(service: ServiceIntroduction, path: string, action: string, fields: string): Promise<string[]> {
  const { host } = new URL(service.baseUrl);
  return Promise.all(
    Array.from({ length: formsOpened }, async () => {
      const page = await fetch(new URL(path, service.baseUrl));
      const [cookie = ''] = (page.headers.getSetCookie()[0] ?? '').split(';');
      const carried = new URLSearchParams(hiddenFields(await page.text(), action));
      return post(host, action, `${carried}&${fields}`, `Cookie: ${cookie}\r\n`);
    }),
  );
}

/** Of the callback receiver, which takes callbacks from anyone who can reach it. */
export function receiverRequests(host: string): AnonymousRequest[] {
  const json = 'application/json';
  return [
    { name: 'POST, small', requests: [post(host, '/x', '{"id":"x"}', '', json)] },
    { name: 'POST, 60 KB', requests: [post(host, '/x', `{"id":"${'x'.repeat(60_000)}"}`, '', json)] },
    { name: 'GET /', requests: [get(host, '/')] },
  ];
}

/** Of the headless host: the screens' files, and what refuses a browser without a session. */
export async function hostRequests(origin: string): Promise<AnonymousRequest[]> {
  const { host } = new URL(origin);
  const page = await (await fetch(`${origin}/`)).text();
  const script = /<script[^>]*\bsrc="([^"]+)"/.exec(page)?.[1] ?? '/';
  return [
    { name: 'GET /', requests: [get(host, '/')] },
    { name: 'GET the script', requests: [get(host, new URL(script, `${origin}/`).pathname)] },
    { name: 'GET /nothing', requests: [get(host, '/nothing')] },
    { name: 'WebSocket of another page', requests: [get(host, '/rpc', upgrade)] },
    { name: 'WebSocket without a session', requests: [get(host, '/rpc', `${upgrade}Origin: ${origin}\r\n`)] },
  ];
}
