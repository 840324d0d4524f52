// The icons of a forecast, which core loads for the screens: from where, which types, how often, and what is logged.
import { describe, expect, it } from 'vitest';
import { responseLimits } from '#core/http/response-limits.ts';
import { fieldsFor, useOwn } from '#test/core/session/access-harness.ts';
import { startCore } from '../core-harness.ts';
import { type Answer, startFakeService } from '../fake-service.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const path = 'GET /v2/icons/sunny';

async function start(icon: Answer = {}) {
  const answer: Answer = { headers: { 'content-type': 'image/svg+xml' }, body: svg, ...icon };
  const service = await startFakeService({ [path]: () => answer });
  const clock = createManualClock();
  const { client, core } = await startCore({ sandbox: service.introduction, clock });
  const url = `${service.baseUrl}/v2/icons/sunny`;
  return { service, client, core, clock, url, answer, load: () => client.forecast.icon({ url }) };
}

const failed = (reason: unknown, short = 'no icon') => ({ state: 'failed', short, reason });

const dataUrl = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

describe('forecast.icon', () => {
  it('returns the icon as a data: URL, requested without a token', async () => {
    const { load, service } = await start({ headers: { 'content-type': 'image/svg+xml; charset=utf-8' } });
    expect(await load()).toEqual({ state: 'loaded', dataUrl });
    expect(service.requestsTo(path)[0]?.headers.authorization).toBeUndefined();
  });

  it('requests no icon of another origin, and nothing for what is not an http or https URL', async () => {
    const { client, service } = await start();
    const other = await startFakeService({ [path]: () => ({ body: svg }) });
    const url = `${other.baseUrl}/v2/icons/sunny`;
    const reason = `not loaded: it is on another host. Icons load only from ${service.baseUrl}`;
    expect(await client.forecast.icon({ url })).toEqual({ state: 'failed', short: 'blocked', reason });
    for (const other of ['file:///etc/passwd', '/v2/icons/sunny', 'data:image/svg+xml,x', '__proto__']) {
      expect(await client.forecast.icon({ url: other })).toEqual(failed('is not an http or https URL'));
    }
    expect([...other.seen, ...service.requestsTo(path)]).toEqual([]);
  });

  it('does not pass on an SVG image that would hold up the page, stored or not', async () => {
    const groups = [1, 2, 3, 4, 5].map((level) => `<g id="a${level}">${`<use href="#a${level - 1}"/>`.repeat(10)}</g>`);
    const { load, service } = await start({ body: `${svg.slice(0, -2)}><path id="a0"/>${groups.join('')}</svg>` });
    expect(await load()).toEqual(failed('not shown: drawing it would take too long'));
    expect(await load()).toEqual(failed('not shown: drawing it would take too long'));
    expect(service.requestsTo(path)).toHaveLength(1);
  });

  it('returns the status of an error, and the reason if there is no response or too much of it', async () => {
    const { load, service, answer } = await start({ status: 404 });
    expect(await load()).toEqual(failed('returned 404', '404'));
    answer.body = Buffer.alloc(responseLimits.icon.bytes + 1);
    // A failure is not stored.
    answer.status = 200;
    expect(await load()).toEqual(failed(expect.stringMatching(/^couldn’t be loaded: .*an icon/)));
    await service.stop();
    expect(await load()).toEqual(failed(expect.stringMatching(/^couldn’t be loaded: .*127\.0\.0\.1/)));
  });

  it('does not return content that is not an image', async () => {
    const { load, answer } = await start();
    for (const contentType of ['text/html', 'image/svg+xml-x', 'image/x-icon', '']) {
      answer.headers = { 'content-type': contentType };
      const reason = `returned 200, but not an image (${contentType || 'no Content-Type'})`;
      expect(await load()).toEqual(failed(reason, '200'));
    }
  });
});

describe('the icon cache', () => {
  it('shares one request among all that load the same URL at the same time', async () => {
    const { load, service } = await start();
    await Promise.all([load(), load(), load()]);
    expect(service.requestsTo(path)).toHaveLength(1);
  });

  it('keeps an icon for an hour', async () => {
    const { load, service, clock } = await start();
    await load();
    clock.advance(3_599_000);
    await load();
    expect(service.requestsTo(path)).toHaveLength(1);
    clock.advance(2000);
    await load();
    expect(service.requestsTo(path)).toHaveLength(2);
  });

  it('is bounded in bytes', async () => {
    const { service, client } = await start();
    const large = Buffer.alloc(responseLimits.icon.bytes);
    const names = Array.from({ length: 40 }, (_, index) => `large-${index}`);
    for (const name of names) {
      service.routes[`GET /v2/icons/${name}`] = () => ({ headers: { 'content-type': 'image/png' }, body: large });
    }
    const load = (name: string) => client.forecast.icon({ url: `${service.baseUrl}/v2/icons/${name}` });
    for (const name of names) await load(name);
    await load('large-39');
    await load('large-0');
    expect(service.requestsTo('GET /v2/icons/large-39')).toHaveLength(1);
    expect(service.requestsTo('GET /v2/icons/large-0')).toHaveLength(2);
  });

  it('is not shared with another connection to the same service', async () => {
    const { load, service, client } = await start();
    await load();
    await useOwn({ client }, fieldsFor(service.introduction), 'secret1');
    await load();
    expect(service.requestsTo(path)).toHaveLength(2);
  });
});

describe('a stored icon', () => {
  const headers = { 'content-type': 'image/svg+xml' };

  it('is shown without a network, even after a restart and long after it went stale', async () => {
    const folder = temporaryFolder();
    const service = await startFakeService({ [path]: () => ({ headers, body: svg }) });
    const clock = createManualClock();
    const url = `${service.baseUrl}/v2/icons/sunny`;
    const options = { sandbox: service.introduction, clock, dataFolder: folder };
    const first = await startCore(options);
    expect(await first.client.forecast.icon({ url })).toEqual({ state: 'loaded', dataUrl });
    await first.close();
    // The port stays taken: another test's server there might never respond.
    for (const route of [path, 'POST /token/']) service.routes[route] = () => ({ hangUp: true });
    clock.advance(30 * 86_400_000);
    const second = await startCore(options);
    expect(await second.client.forecast.icon({ url })).toEqual({ state: 'loaded', dataUrl });
  });

  it('is shown for 5xx, but not for 404', async () => {
    const { load, answer, clock } = await start();
    await load();
    clock.advance(3_601_000);
    answer.status = 503;
    expect(await load()).toEqual({ state: 'loaded', dataUrl });
    answer.status = 404;
    expect(await load()).toEqual(failed('returned 404', '404'));
  });
});

it('at most four icons are requested at once, so that slow ones leave room for the API', async () => {
  const { service, client } = await start();
  service.routes['GET /v2/monitors/'] = () => ({ body: { objects: [], meta: {} } });
  const released = Promise.withResolvers<void>();
  const slow = async (): Promise<Answer> => {
    await released.promise;
    return { headers: { 'content-type': 'image/png' }, body: 'x' };
  };
  const paths = Array.from({ length: 12 }, (_, index) => `/v2/icons/slow-${index}`);
  for (const one of paths) service.routes[`GET ${one}`] = slow;
  const icons = Promise.all(paths.map((one) => client.forecast.icon({ url: `${service.baseUrl}${one}` })));
  const arrived = () => service.seen.filter(({ url }) => url.includes('slow-')).length;
  await expect.poll(arrived).toBe(4);
  // Sent after the icons: a fifth icon request would be here by now.
  await client.monitors.list();
  expect(arrived()).toBe(4);
  released.resolve();
  expect((await icons).map(({ state }) => state)).toEqual(paths.map(() => 'loaded'));
});

describe('the traffic log', () => {
  it('keeps the icon requests that failed, and no others', async () => {
    const { load, client, answer, url } = await start();
    await load();
    expect((await client.traffic.list({})).items.filter((item) => item.url.includes('/icons/'))).toEqual([]);
    answer.status = 404;
    await client.forecast.icon({ url: `${url}?fails` });
    expect((await client.traffic.list({})).items.filter((item) => item.url.includes('/icons/'))).toMatchObject([
      { status: 404 },
    ]);
  });
});
