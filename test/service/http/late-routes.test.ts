// The website and the dialog are loaded with the first request for one of them; requests that arrive meanwhile wait and are answered.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createLateRoutes, type PreHandler } from '#service/http/server.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

async function serve(open: () => Promise<PreHandler>): Promise<string> {
  const late = createLateRoutes({ isTheirs: (url) => url.startsWith('/pages'), open, log: pino({ level: 'silent' }) });
  const server = createServer((request, response) => {
    if (!late(request, response)) response.end('the API');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const page: PreHandler = (request, response) => {
  response.end(`page ${request.url}`);
  return true;
};

it('opens once for simultaneous requests, and not at all for others', async () => {
  let opened = 0;
  const baseUrl = await serve(async () => {
    opened += 1;
    return page;
  });
  expect(await (await fetch(`${baseUrl}/v2/`)).text()).toBe('the API');
  expect(opened).toBe(0);
  const answers = await Promise.all(['/pages/a', '/pages/b'].map((path) => fetch(baseUrl + path)));
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['page /pages/a', 'page /pages/b']);
  expect(await (await fetch(`${baseUrl}/pages/c`)).text()).toBe('page /pages/c');
  expect(opened).toBe(1);
});

it('reports a failure if the routes cannot be loaded, and tries again with the next request', async () => {
  const outcomes = [() => Promise.reject(new Error('no such file')), () => Promise.resolve(page)];
  const baseUrl = await serve(() => outcomes.shift()?.() ?? Promise.reject(new Error('too often')));
  const refused = await fetch(`${baseUrl}/pages/`);
  expect([refused.status, await refused.json()]).toMatchObject([500, { error: 'server_error' }]);
  expect(await (await fetch(`${baseUrl}/pages/`)).text()).toBe('page /pages/');
});

it('distinguishes the API from the pages, even if a request has the whole URL', async () => {
  const { baseUrl } = introductionOf(await startOwnService());
  const first = (target: string, accept = 'text/html') => firstLineAndType(baseUrl, target, accept);
  expect(await first('/')).toEqual(['HTTP/1.1 200 OK', 'text/html']);
  expect(await first('/nothing')).toEqual(['HTTP/1.1 404 Not Found', 'text/html']);
  expect(await first('/nothing', '*/*')).toEqual(['HTTP/1.1 404 Not Found', 'application/json']);
  expect(await first('/tokens')).toEqual(['HTTP/1.1 404 Not Found', 'text/html']);
  expect(await first(`${baseUrl}/`)).toEqual(['HTTP/1.1 200 OK', 'text/html']);
  for (const path of ['/v2/weather/?lat=1&lng=1', '/v2/monitors', `${baseUrl}/v2/weather/`]) {
    expect(await first(path)).toEqual(['HTTP/1.1 401 Unauthorized', 'application/json']);
  }
  expect(await first('/v2')).toEqual(['HTTP/1.1 404 Not Found', 'application/json']);
  expect(await first('/token')).toEqual(['HTTP/1.1 405 Method Not Allowed', 'application/json']);
  expect(await first('/.well-known/oauth-authorization-server')).toEqual(['HTTP/1.1 200 OK', 'application/json']);
});

/** Over a bare socket, because `fetch` never sends the absolute form. */
async function firstLineAndType(baseUrl: string, target: string, accept: string): Promise<(string | undefined)[]> {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += String(chunk);
  return [answer.split('\r\n')[0], /content-type: ([^;\r]+)/i.exec(answer)?.[1]];
}
