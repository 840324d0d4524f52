// A service at home: the link that it prints, its three pages, and what they refuse. Over real HTTP, as a browser without scripts.
import { describe, expect, test } from 'vitest';
import { type Config, configWith, readInvocation } from '#service/config/config.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { fetchToken } from '#test/service/monitor-service.ts';
import { parsePlace } from '#service/setup/set-up.ts';
import { SetupCode } from '#service/setup/setup-code.ts';
import { createVisitor, credential, feedbackOf } from './website-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

const account = { username: 'ann', password: 'a long password' };

async function start(folder: string, changes: Partial<Config> = {}) {
  const home = { isHome: true, host: '0.0.0.0', callbackLan: 'on', registration: 'closed' } as const;
  const service = await startOwnService({ ...home, dataFolder: folder, simulatedRain: 'off', ...changes });
  const baseUrl = `http://127.0.0.1:${new URL(service.announcement.baseUrl).port}`;
  return { ...service, baseUrl, visitor: createVisitor(baseUrl), path: service.setupPath ?? '' };
}

const target = (callback: string) => ({
  place: '59.91, 10.75',
  product: 'own',
  callback,
  events: 'started,ended',
  rate: '0.5',
});

test('from the link to a test event in three pages, with secrets that are shown once', async () => {
  const endpoint = await startCallbackEndpoint((_callback, response) => response.end(`${'x'.repeat(300)}`));
  // Loopback is not the LAN.
  const home = await start(temporaryFolder(), { callbackAllowlist: ['127.0.0.1'] });
  const { visitor } = home;
  expect(home.path).toMatch(/^\/setup\/\?code=[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  const texts = [(await visitor.get(home.path)).text];
  const second = await visitor.send(home.path, account, '/setup/');
  expect(second.text).toContain('Step 2 of 3');
  const third = await visitor.send('/setup/monitor/', target(endpoint.url));
  expect(third.text).toContain('Step 3 of 3');
  const path = /action="(\/setup\/test\/[^"]+)"/.exec(third.text)?.[1] ?? '';
  const done = await visitor.send(path, {});
  expect(done.text).toContain('The test event arrived');
  // A home has no plans to choose, and nobody to write to.
  const page = (await visitor.get('/applications/new/')).text;
  expect(page).not.toMatch(/Drizzle|href="\/(?:plans|contact|thanks|launch)\/"/);
  expect(page).toContain('In-house');
  expect(done.text).toMatch(/200 OK after \d+ ms/);
  expect(/x{100,}/.exec(done.text)?.[0]).toHaveLength(200);
  texts.push(second.text, third.text, done.text);
  expect(texts.filter((text) => /oauth/i.test(text))).toEqual([]);

  const [received] = await endpoint.waitFor(1);
  expect(JSON.parse(received?.body ?? '')).toMatchObject({ type: 'precipitation.started', data: { is_test: true } });
  const [clientId, clientSecret] = [credential(done, 'client_id'), credential(done, 'client_secret')];
  expect(credential(done, 'webhook_secret')).toMatch(/^whsec_/);
  const token = await fetchToken(home.baseUrl, { clientId, clientSecret });
  const monitors = await fetch(`${home.baseUrl}/v2/monitors/`, { headers: { authorization: `Bearer ${token}` } });
  expect(await monitors.json()).toMatchObject({
    objects: [
      {
        callback_uri: endpoint.url,
        payload: 'event',
        events: ['precipitation.started', 'precipitation.ended'],
        conditions: { min_precipitation_rate: 0.5 },
      },
    ],
  });
  const again = await visitor.send(path, {});
  expect(again.text).toContain('The secrets were shown before.');
  expect(again.text).not.toContain('whsec_');
});

test('a target that refuses is shown with its answer, and its URL can be corrected before the secrets are shown', async () => {
  const endpoint = await startCallbackEndpoint(({ path }, response) => {
    response.writeHead(path === '/right' ? 204 : 404).end(path === '/right' ? '' : 'no <b>such</b> webhook');
  });
  const home = await start(temporaryFolder(), { callbackAllowlist: ['127.0.0.1'] });
  await home.visitor.send(home.path, account, '/setup/');
  const wrong = { ...target(`http://127.0.0.1:${endpoint.port}/wrong`), place: 'Roma' };
  const third = await home.visitor.send('/setup/monitor/', wrong);
  // Not the one that an Italian means.
  expect(third.text).toContain('Your monitor is at Roma, United States, 26.');
  const path = /action="(\/setup\/test\/[^"]+)"/.exec(third.text)?.[1] ?? '';
  const refused = await home.visitor.send(path, {});
  expect(refused.text).toContain('The test event was not accepted');
  expect(refused.text).toContain('404 Not Found');
  expect(refused.text).toContain('&lt;b&gt;such&lt;/b&gt; webhook');
  expect(refused.text).not.toContain('whsec_');
  const done = await home.visitor.send(path, { callback: `http://127.0.0.1:${endpoint.port}/right` });
  expect(done.text).toContain('204 No Content');
  expect(credential(done, 'webhook_secret')).toMatch(/^whsec_/);
});

test('the first two pages say at each field what is wrong', async () => {
  const home = await start(temporaryFolder());
  // The link survives a password that is too short.
  const first = await home.visitor.send(home.path, { ...account, password: 'short' }, '/setup/');
  expect(first.text).toContain('A password must have 8 to 200 characters');
  expect((await home.visitor.send(home.path, account, '/setup/')).text).toContain('Step 2 of 3');
  const problems = async (values: Record<string, string>) => {
    const page = await home.visitor.send('/setup/monitor/', { ...target('https://a.invalid/'), ...values });
    expect([page.status, feedbackOf(page)]).toEqual([422, ['data_problem']]);
    return [...page.text.matchAll(/id="(\w+)-problem">([^<]*)</g)].map(([, field, words]) => `${field}: ${words}`);
  };
  expect(await problems({ place: 'Atlantis City', callback: '' })).toEqual([
    'place: No town has this name. Enter coordinates such as 59.91, 10.75.',
    'callback: Enter the URL that receives the events.',
  ]);
  expect((await problems({ place: '95, 10' }))[0]).toMatch(/^place: Latitude must be/);
  expect(await problems({ rate: '0' })).toEqual(['rate: This must be a number from 0.1 to 50 (mm/h).']);
  expect((await problems({ callback: 'http://169.254.169.254/' }))[0]).toMatch(/^callback: The URL is not allowed/);
  expect((await problems({ callback: 'http://127.0.0.1:1/' }))[0]).toMatch(/^callback: The URL is not allowed/);
  expect((await problems({ callback: 'ntfy' }))[0]).toMatch(/^callback: The URL must be a full URL/);
});

describe('the link', () => {
  test('works once, and not at all with another code', async () => {
    const folder = temporaryFolder();
    const home = await start(folder);
    for (const path of ['/setup/', '/setup/?code=AAAA-AAAA']) {
      const page = await home.visitor.get(path);
      expect([path, page.status, page.text.includes('restart the service')]).toEqual([path, 403, true]);
    }
    await home.visitor.send(home.path, account, '/setup/');
    expect((await createVisitor(home.baseUrl).get(home.path)).status).toBe(403);
    await home.close();
    // With an account, a restart prints no link.
    expect((await start(folder)).setupPath).toBeUndefined();
  });

  test('is not guessed: each address has 20 attempts in 10 minutes', async () => {
    const home = await start(temporaryFolder());
    const statuses = [];
    for (let attempt = 0; attempt < 21; attempt += 1)
      statuses.push((await home.visitor.get(`/setup/?code=AAAA-${attempt + 1000}`)).status);
    expect(statuses).toEqual([...Array(20).fill(403), 429]);
  });

  test('is valid for 15 minutes', async () => {
    const clock = createManualClock();
    const code = new SetupCode(clock);
    expect(code.accepts(` ${code.text.toLowerCase()} `)).toBe(true);
    clock.advance(15 * 60_000 - 1);
    expect(code.accepts(code.text)).toBe(true);
    clock.advance(1);
    expect(code.accepts(code.text)).toBe(false);
    const other = new SetupCode(clock);
    await expect(other.useFor(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
    expect(other.accepts(other.text)).toBe(true);
  });
});

test('--home is a set of defaults that flags and the environment override', () => {
  const read = (flags: string[], environment: Record<string, string> = {}) => {
    const invocation = readInvocation(['--home', ...flags], environment);
    return invocation.kind === 'run' ? invocation.config : undefined;
  };
  const home = { isHome: true, host: '0.0.0.0', callbackLan: 'on', registration: 'closed', databaseUrl: undefined };
  expect(read([])).toMatchObject(home);
  expect(
    read(['--host', '192.168.1.10'], { RAINBELL_CALLBACK_LAN: 'off', RAINBELL_REGISTRATION: 'open' }),
  ).toMatchObject({
    isHome: true,
    host: '192.168.1.10',
    callbackLan: 'off',
    registration: 'open',
  });
  expect(configWith({})).toMatchObject({ isHome: false, host: '127.0.0.1', callbackLan: 'off' });
});

test('without --home there are no such pages', async () => {
  const service = await start(temporaryFolder(), { isHome: false });
  expect(service.setupPath).toBeUndefined();
  expect((await service.visitor.get('/setup/?code=AAAA-AAAA')).status).toBe(404);
});

test('a place is coordinates or a town', () => {
  expect(parsePlace('59.91, 10.75')).toEqual({ lat: 59.91, lng: 10.75 });
  expect(parsePlace('-33.9;18.4')).toEqual({ lat: -33.9, lng: 18.4 });
  expect(parsePlace('59.91,')).toMatch(/No town/);
  const paris = parsePlace(' PARÍS ');
  expect(paris).toMatchObject({ lat: expect.closeTo(48.85, 1), lng: expect.closeTo(2.35, 1) });
});
