// A path that exists, asked for with another method (RFC 9110 §15.5.6).
import { beforeAll, expect, it } from 'vitest';
import { serveRoutes } from './serve-routes.ts';

let baseUrl = '';

beforeAll(async () => {
  const served = await serveRoutes((server) => {
    server.get('/v2/things/', async () => []);
    server.post('/v2/things/', async () => ({}));
    server.put('/v2/things/:id/', async () => ({}));
    server.get('/v2/things/newest/', async () => ({}));
    server.get('/pages/*', async () => 'a page');
  });
  baseUrl = served.baseUrl;
  return served.close;
});

it.each([
  ['DELETE', '/v2/things/', 'GET, HEAD, POST'],
  ['DELETE', '/v2/things', 'GET, HEAD, POST'],
  ['POST', '/v2/things/7/?deep=1', 'PUT'],
  ['PATCH', '/v2/things/newest', 'PUT, GET, HEAD'],
])(
  '%s %s is answered 405 with what is allowed, whatever its body, and readable by pages',
  async (method, path, allow) => {
    const nonsense = { headers: { 'content-type': 'text/nonsense', origin: 'https://example.org' }, body: '{' };
    const response = await fetch(baseUrl + path, { ...nonsense, method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      error: 'method_not_allowed',
      error_description: `${method} is not allowed here; use ${allow}.`,
    });
  },
);

it.each([
  ['DELETE', '/v2/things/7/deeper/'],
  ['DELETE', '/v2/things//'],
  ['POST', '/v2/'],
  ['POST', '/pages/one'],
])('%s %s is answered 404', async (method, path) => {
  expect((await fetch(baseUrl + path, { method })).status).toBe(404);
});
