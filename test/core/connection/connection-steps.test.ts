// Each step of a connection's test, by what the service answers.
import { describe, expect, test } from 'vitest';
import type { Connection } from '#core/connection/connection.ts';
import { testConnection } from '#core/connection/test-connection.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { HttpRequest, HttpResponse } from '#core/http/http-sender.ts';
import { responseLimits } from '#core/http/response-limits.ts';
import { responseDouble } from '#test/core/connection-double.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const held = { accessToken: 'user', refreshToken: null };

type Given = {
  /** For the weather without a token, with one, and the monitors; by default 401, 200, and 200. */
  answers?: (number | Error)[];
  date?: string;
  token?: { accessToken: string; deviations: { section: string; message: string }[] } | Error;
  isSignedIn?: boolean;
  isPublic?: boolean;
};

async function run(
  { answers = [], date, token, isSignedIn = false, isPublic = false }: Given = {},
  signal?: AbortSignal,
) {
  const clock = createManualClock(Date.UTC(2026, 10, 23, 6, 7, 8));
  const sent: HttpRequest[] = [];
  const connection = {
    baseUrl: 'https://api.example',
    profile: { isPublic },
    http: {
      async send(request: HttpRequest): Promise<HttpResponse> {
        const index = sent.length;
        sent.push(request);
        clock.advance(10 * (index + 1));
        const answer = answers[index] ?? (index === 0 ? 401 : 200);
        if (answer instanceof Error) throw answer;
        return responseDouble({ request, status: answer, headers: date === undefined ? [] : [['Date', date]] });
      },
    },
    endpoint: {
      async request() {
        if (token instanceof Error) throw token;
        return token ?? { accessToken: 'app', deviations: [] };
      },
    },
    tokens: { user: { held: async () => (isSignedIn ? held : undefined) } },
  } as unknown as Connection;
  const steps = await testConnection(connection, clock, signal);
  const tokens = sent.map(({ headers }) => headers.find(([name]) => name === 'authorization')?.[1]);
  return { steps, sent, tokens, results: steps.map(({ result }) => result) };
}

const unauthorized = new AppFailure('UNAUTHORIZED_CLIENT', 'Not for this client.');
const deviations = [
  { section: '§4.2', message: 'No type.' },
  { section: '§8', message: 'No end.' },
];
const app = 'Bearer app';
const user = 'Bearer user';

test('the weather is requested without and with a token, then the monitors, with their limits', async () => {
  const { steps, sent, tokens } = await run({ date: 'Mon, 23 Nov 2026 06:07:08 GMT' });
  const weather = 'https://api.example/v2/weather/?location_lat=45.0703&location_lng=7.6869';
  expect(sent.map(({ method, url, limit }) => [method, url, limit])).toEqual([
    ['GET', weather, responseLimits.forecast],
    ['GET', weather, responseLimits.forecast],
    ['GET', 'https://api.example/v2/monitors/', responseLimits.monitors],
  ]);
  expect(tokens).toEqual([undefined, app, app]);
  expect(steps.map(({ step, result, tookMs, problem }) => [step, result, tookMs, problem])).toEqual([
    ['address', 'ok', 10, null],
    ['token', 'ok', 0, null],
    ['weather', 'ok', 20, null],
    ['monitors', 'ok', 30, null],
    ['clock', 'ok', 0, null],
  ]);
  expect(steps[0]?.message).toContain('api.example');
});

const refused = { token: unauthorized };
const wrongSecret = { token: new AppFailure('INVALID_CLIENT', 'Wrong.'), isSignedIn: true };

/** The results of address, token, weather, monitors, and clock, and the tokens that were sent after none. */
test.each<[string, Given, string, string[]]>([
  ['a refusal without a token', { answers: [403] }, 'ok ok ok ok skipped', [app, app]],
  ['no need of a token', { answers: [299] }, 'warning ok ok ok skipped', [app, app]],
  ['a redirect', { answers: [300] }, 'failed ok ok ok skipped', [app, app]],
  ['no answer', { answers: [new AppFailure('NETWORK', '')] }, 'failed skipped skipped skipped skipped', []],
  ['an odd answer', { answers: [new AppFailure('PROTOCOL', '')] }, 'failed ok ok ok skipped', [app, app]],
  ['a token with deviations', { token: { accessToken: 'app', deviations } }, 'ok warning ok ok skipped', [app, app]],
  ['no token for the application', refused, 'ok failed skipped skipped skipped', []],
  ['none, but a signed-in user', { ...refused, isSignedIn: true }, 'ok warning ok skipped skipped', [user]],
  ['a wrong secret', wrongSecret, 'ok failed skipped skipped skipped', []],
  ['a public client', { isPublic: true }, 'ok skipped skipped skipped skipped', []],
  ['a public client’s user', { isPublic: true, isSignedIn: true }, 'ok ok ok skipped skipped', [user]],
  ['no weather', { answers: [401, 500] }, 'ok ok failed ok skipped', [app, app]],
  ['no monitors', { answers: [401, 200, 403] }, 'ok ok ok failed skipped', [app, app]],
])('%s', async (_what, given, results, tokens) => {
  const found = await run(given);
  expect([found.results.join(' '), found.tokens]).toEqual([results, [undefined, ...tokens]]);
});

test('a problem is reported with its code, and a bug without its text', async () => {
  const problemOf = async (given: Given, index: number) => (await run(given)).steps[index];
  expect(await problemOf({ answers: [new AppFailure('NETWORK', 'Nothing there.', { field: 'x' })] }, 0)).toMatchObject({
    message: 'Nothing there.',
    problem: { code: 'NETWORK', message: 'Nothing there.', details: { field: 'x' } },
  });
  expect(await problemOf({ answers: [404] }, 0)).toMatchObject({ problem: { code: 'NOT_FOUND' } });
  expect(await problemOf({ token: unauthorized, isSignedIn: true }, 1)).toMatchObject({
    message: expect.stringMatching(/^Not for this client\. \S/),
    problem: { code: 'UNAUTHORIZED_CLIENT' },
  });
  expect(await problemOf({ token: { accessToken: 'app', deviations } }, 1)).toMatchObject({
    message: 'No type. (§4.2) No end. (§8)',
    problem: null,
  });
  const bug = await problemOf({ answers: [new TypeError('secret detail')] }, 0);
  expect(bug).toMatchObject({ result: 'failed', problem: { code: 'INTERNAL' } });
  expect(JSON.stringify(bug)).not.toContain('secret detail');
});

test('a test that is aborted ends', async () => {
  const reason = new Error('stop');
  await expect(run({}, AbortSignal.abort(reason))).rejects.toBe(reason);
});

describe('the clock of a service', () => {
  // The last response is received 60 ms after the start.
  test.each([
    ['Mon, 23 Nov 2026 06:07:38 GMT', 'ok', ''],
    ['Mon, 23 Nov 2026 06:07:39 GMT', 'warning', '31 s ahead'],
    ['Mon, 23 Nov 2026 06:06:38 GMT', 'ok', ''],
    ['Mon, 23 Nov 2026 06:06:37 GMT', 'warning', '31 s behind'],
    ['Fri, 23 Jan 2026 06:07:08 GMT', 'warning', '26265600 s behind'],
    [' Mon, 23 Nov 2026 06:07:08 GMT ', 'ok', ''],
    ['2026-11-23T06:07:08Z', 'skipped', ''],
    ['Mon, 23 Nov 2026 06:07:08 GMT+1', 'skipped', ''],
    [undefined, 'skipped', ''],
  ])('that says %s is %s', async (date, result, words) => {
    const { steps } = await run(date === undefined ? {} : { date });
    expect(steps[4]).toMatchObject({ result, message: expect.stringContaining(words) });
  });
});
