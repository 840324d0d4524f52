// Each step of a connection's test, by what the service answers.
import { describe, expect, test } from 'vitest';
import type { Connection } from '#core/connection/connection.ts';
import { testConnection } from '#core/connection/test-connection.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { HttpRequest, HttpResponse } from '#core/http/http-sender.ts';
import { responseLimits } from '#core/http/response-limits.ts';
import { responseDouble } from '#test/core/connection-double.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const now = Date.UTC(2026, 10, 23, 6, 7, 8);
const date = 'Mon, 23 Nov 2026 06:07:08 GMT';
const held = { accessToken: 'user', refreshToken: null };
const path = '/v2/weather/?location_lat=45.0703&location_lng=7.6869';

type Given = {
  /** For the weather without a token, with one, and the monitors. */
  answers?: (number | Error)[];
  dates?: (string | undefined)[];
  token?: { accessToken: string; deviations: { section: string; message: string }[] } | Error;
  isSignedIn?: boolean;
  isPublic?: boolean;
};

async function run(
  { answers = [], dates = [], token, isSignedIn = false, isPublic = false }: Given = {},
  signal?: AbortSignal,
) {
  const clock = createManualClock(now);
  const sent: HttpRequest[] = [];
  const grants: unknown[] = [];
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
        const text = index in dates ? dates[index] : undefined;
        return responseDouble({ request, status: answer, headers: text === undefined ? [] : [['Date', text]] });
      },
    },
    endpoint: {
      async request(grant: unknown) {
        grants.push(grant);
        if (token instanceof Error) throw token;
        return token ?? { accessToken: 'app', deviations: [] };
      },
    },
    tokens: { user: { held: async () => (isSignedIn ? held : undefined) } },
  } as unknown as Connection;
  const steps = await testConnection(connection, clock, signal);
  return { steps, sent, grants, results: steps.map(({ step, result }) => `${step} ${result}`) };
}

const unauthorized = new AppFailure('UNAUTHORIZED_CLIENT', 'Not for this client.');

describe('the test of a connection', () => {
  test('sends the weather without and with a token, then the monitors', async () => {
    const { steps, sent, grants } = await run({ dates: [undefined, undefined, date] });
    const request = (where: string, headers: [string, string][], limit: object) => ({
      method: 'GET',
      url: `https://api.example${where}`,
      headers: [['accept', 'application/json'], ...headers],
      limit,
      signal: undefined,
    });
    const bearer: [string, string][] = [['authorization', 'Bearer app']];
    expect(sent).toStrictEqual([
      request(path, [], responseLimits.forecast),
      request(path, bearer, responseLimits.forecast),
      request('/v2/monitors/', bearer, responseLimits.monitors),
    ]);
    expect(grants).toEqual([{ grant: 'client_credentials' }]);
    expect(steps).toEqual([
      { step: 'address', result: 'ok', message: expect.stringContaining('api.example'), tookMs: 10, problem: null },
      { step: 'token', result: 'ok', message: expect.stringMatching(/\S/), tookMs: 0, problem: null },
      { step: 'weather', result: 'ok', message: expect.stringMatching(/\S/), tookMs: 20, problem: null },
      { step: 'monitors', result: 'ok', message: expect.stringMatching(/\S/), tookMs: 30, problem: null },
      { step: 'clock', result: 'ok', message: expect.stringMatching(/\S/), tookMs: 0, problem: null },
    ]);
  });

  test.each<[number, string, string | undefined]>([
    [401, 'ok', undefined],
    [403, 'ok', undefined],
    [200, 'warning', undefined],
    [299, 'warning', undefined],
    [300, 'failed', 'PROTOCOL'],
    [404, 'failed', 'NOT_FOUND'],
    [500, 'failed', 'SERVER'],
  ])('without a token takes status %i as %s', async (status, result, code) => {
    const { steps } = await run({ answers: [status] });
    expect([steps[0]?.result, steps[0]?.problem?.code]).toEqual([result, code]);
    expect(steps[0]?.message).toContain('api.example');
    expect(steps).toHaveLength(5);
  });

  test('ends where nothing responds', async () => {
    const { steps, sent, grants } = await run({
      answers: [new AppFailure('NETWORK', 'Nothing there.', { field: 'x' })],
    });
    const skipped = { result: 'skipped', message: expect.stringMatching(/\S/), tookMs: null, problem: null };
    expect(steps).toEqual([
      {
        step: 'address',
        result: 'failed',
        message: 'Nothing there.',
        tookMs: 10,
        problem: { code: 'NETWORK', message: 'Nothing there.', details: { field: 'x' } },
      },
      { step: 'token', ...skipped },
      { step: 'weather', ...skipped },
      { step: 'monitors', ...skipped },
      { step: 'clock', ...skipped },
    ]);
    expect([sent.length, grants.length]).toEqual([1, 0]);
  });

  test('goes on after another problem, and hides a bug', async () => {
    const { steps } = await run({ answers: [new AppFailure('PROTOCOL', 'Odd.')] });
    expect(steps.map(({ result }) => result)).toEqual(['failed', 'ok', 'ok', 'ok', 'skipped']);
    const bug = await run({ answers: [new TypeError('secret detail')] });
    expect(bug.steps[0]).toMatchObject({ result: 'failed', problem: { code: 'INTERNAL' } });
    expect(JSON.stringify(bug.steps)).not.toContain('secret detail');
  });

  test.each<[string, Given, string[], number]>([
    [
      'deviates',
      {
        token: {
          accessToken: 'app',
          deviations: [
            { section: '§4.2', message: 'No type.' },
            { section: '§8', message: 'No end.' },
          ],
        },
      },
      ['token warning', 'weather ok', 'monitors ok'],
      1,
    ],
    [
      'is refused to the application',
      { token: unauthorized },
      ['token failed', 'weather skipped', 'monitors skipped'],
      1,
    ],
    [
      'is refused to the application of a signed-in user',
      { token: unauthorized, isSignedIn: true },
      ['token warning', 'weather ok', 'monitors skipped'],
      1,
    ],
    [
      'fails',
      { token: new AppFailure('INVALID_CLIENT', 'Wrong.'), isSignedIn: true },
      ['token failed', 'weather skipped', 'monitors skipped'],
      1,
    ],
    ['is none of a public client', { isPublic: true }, ['token skipped', 'weather skipped', 'monitors skipped'], 0],
    [
      'is the user’s of a public client',
      { isPublic: true, isSignedIn: true },
      ['token ok', 'weather ok', 'monitors skipped'],
      0,
    ],
  ])('goes on if the token %s', async (_, given, expected, grants) => {
    const result = await run(given);
    expect(result.results.slice(1, 4)).toEqual(expected);
    expect(result.grants).toHaveLength(grants);
  });

  test('uses the user’s token, and names the reason and the deviations', async () => {
    const { steps, sent } = await run({ token: unauthorized, isSignedIn: true });
    expect(sent.map(({ headers }) => headers[1]?.[1])).toEqual([undefined, 'Bearer user']);
    expect(steps[1]).toMatchObject({
      message: expect.stringMatching(/^Not for this client\. \S/),
      problem: { code: 'UNAUTHORIZED_CLIENT' },
    });
    const deviations = [
      { section: '§4.2', message: 'No type.' },
      { section: '§8', message: 'No end.' },
    ];
    const warned = await run({ token: { accessToken: 'app', deviations } });
    expect(warned.steps[1]).toMatchObject({ message: 'No type. (§4.2) No end. (§8)', problem: null });
    const open = await run({ isPublic: true, isSignedIn: true });
    expect(open.sent.map(({ headers }) => headers[1]?.[1])).toEqual([undefined, 'Bearer user']);
  });

  test.each([
    [
      [401, 500],
      ['weather failed', 'monitors ok'],
    ],
    [
      [401, 200, 403],
      ['weather ok', 'monitors failed'],
    ],
  ])('says what does not work with a token: %j', async (answers, expected) => {
    expect((await run({ answers })).results.slice(2, 4)).toEqual(expected);
  });

  test('ends when it is aborted', async () => {
    const reason = new Error('stop');
    await expect(run({}, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('the clock of a service', () => {
  // The last response is received 60 ms after the start.
  const withDate = async (text: string | undefined) => {
    const { steps } = await run({ dates: [undefined, undefined, text] });
    return steps[4];
  };

  test.each([
    ['Mon, 23 Nov 2026 06:07:38 GMT', 'ok', undefined],
    ['Mon, 23 Nov 2026 06:07:39 GMT', 'warning', '31 s ahead'],
    ['Mon, 23 Nov 2026 06:06:38 GMT', 'ok', undefined],
    ['Mon, 23 Nov 2026 06:06:37 GMT', 'warning', '31 s behind'],
    [' Mon, 23 Nov 2026 06:07:08 GMT ', 'ok', undefined],
    ['2026-11-23T06:07:08Z', 'skipped', undefined],
    ['Mon, 23 Nov 2026 06:07:08 CET', 'skipped', undefined],
    ['Fri, 23 Jan 2026 06:07:08 GMT', 'warning', '26265600 s behind'],
    ['Mon, 23 Nov 2026 06:07:08 GMT+1', 'skipped', undefined],
    ['Mon, 23 Nox 2026 06:07:08 GMT', 'skipped', undefined],
    [undefined, 'skipped', undefined],
  ])('that says %s is %s', async (text, result, words = '') => {
    const step = await withDate(text);
    expect(step?.result).toBe(result);
    expect(step?.message).toContain(words);
  });

  test('is skipped if nothing was received', async () => {
    const fails = new AppFailure('PROTOCOL', 'Odd.');
    const { steps } = await run({ answers: [fails, fails, fails] });
    expect(steps[4]?.result).toBe('skipped');
  });
});
