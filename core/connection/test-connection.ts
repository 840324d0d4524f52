// Tests a connection: URL, token, weather, monitors, clock, each step separately. It changes nothing in the app, and nothing in the
// service except that it issues one more token.
import type { Clock } from '@rainbell/shared';
import type { ConnectionTestStep } from '@rainbell/contract/app-rpc';
import { parseHttpDate } from '@rainbell/contract/service-api';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import { statusFailure } from '../http/status-failure.ts';
import type { Connection } from './connection.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import { headerOf, hostOf } from '../http/http-headers.ts';
import { limitFor } from '../http/response-limits.ts';

type Step = ConnectionTestStep['step'];
type Found = Pick<ConnectionTestStep, 'result' | 'message'> & { problem?: AppFailure };

const weatherPath = '/v2/weather/?location_lat=45.0703&location_lng=7.6869';

/** Never throws for what the service does, only if `signal` aborts. */
export async function testConnection(
  connection: Connection,
  clock: Clock,
  signal?: AbortSignal,
): Promise<ConnectionTestStep[]> {
  const { baseUrl } = connection;
  const steps: ConnectionTestStep[] = [];
  let lastResponse: { response: HttpResponse; receivedAt: number } | undefined;

  async function take(step: Step, look: () => Promise<Found>): Promise<Found> {
    signal?.throwIfAborted();
    const startedAt = clock.elapsed();
    const found = await look().catch((error: unknown): Found => {
      const problem = error instanceof AppFailure ? error : new AppFailure('INTERNAL', toProblem(error).message);
      return { result: 'failed', message: problem.message, problem };
    });
    const { result, message, problem } = found;
    const tookMs = result === 'skipped' ? null : clock.elapsed() - startedAt;
    steps.push({ step, result, message, tookMs, problem: problem ? toProblem(problem) : null });
    return found;
  }

  async function get(path: string, token?: string): Promise<HttpResponse> {
    const response = await connection.http.send({
      method: 'GET',
      url: `${baseUrl}${path}`,
      headers: [['accept', 'application/json'], ...(token === undefined ? [] : [bearer(token)])],
      limit: limitFor(path),
      signal,
    });
    lastResponse = { response, receivedAt: clock.now() };
    return response;
  }

  const address = await take('address', async () => checkAddress(await get(weatherPath)));
  if (address.problem?.code === 'NETWORK') {
    for (const step of ['token', 'weather', 'monitors', 'clock'] as const)
      await take(step, skip('Not tested: nothing responds at the base URL.'));
    return steps;
  }
  let token: string | undefined;
  let isApplicationToken = true;
  await take('token', async () => {
    const got = await anyToken(connection);
    token = got.token;
    isApplicationToken = got.found.problem === undefined;
    return got.found;
  });
  const withToken = (path: string, test: string) => async (): Promise<Found> => {
    const failure = statusFailure(await get(path, token));
    if (failure) throw failure;
    return { result: 'ok', message: test };
  };
  const noToken = skip('Not tested: there is no token.');
  await take('weather', token === undefined ? noToken : withToken(weatherPath, 'The service returned a forecast.'));
  await take('monitors', monitorsStep());
  await take('clock', async () => checkClock(lastResponse));
  return steps;

  function monitorsStep(): () => Promise<Found> {
    if (token === undefined) return noToken;
    if (!isApplicationToken)
      return skip('Not tested: monitors require client credentials, which this application is not allowed to use.');
    if (connection.profile.isPublic)
      return skip('Not tested: monitors require client credentials, and a public client has none.');
    return withToken('/v2/monitors/', 'The application’s monitors can be read.');
  }
}

function bearer(token: string): [string, string] {
  return ['authorization', `Bearer ${token}`];
}

function skip(message: string): () => Promise<Found> {
  return async () => ({ result: 'skipped', message });
}

/** Without a token the API must return 401 (docs/interface.md §5.1, §7.1); some services return 403. */
function checkAddress(response: HttpResponse): Found {
  const host = hostOf(response.request.url);
  if (response.status === 401) return { result: 'ok', message: `${host} responds and requires a token.` };
  if (response.status === 403) {
    return { result: 'ok', message: `${host} responds and refuses requests without a token (status 403).` };
  }
  if (response.status < 300) {
    return {
      result: 'warning',
      message: `${host} returns weather without a token, although the API spec requires one.`,
    };
  }
  const problem = statusFailure(response);
  const message = `${host} returned status ${response.status} instead of weather data. Check the base URL.`;
  return { result: 'failed', message, ...(problem ? { problem } : {}) };
}

/** A new token by client credentials; the signed-in user's for a public client, and if the application is not allowed any. */
async function anyToken({ profile, endpoint, tokens }: Connection): Promise<{ token?: string; found: Found }> {
  const held = await tokens.user.held();
  const user = held && { token: held.accessToken };
  const usersToken = 'Using the signed-in user’s token.';
  if (profile.isPublic) {
    const message = 'Not tested: a public client gets a token when a user signs in.';
    return user ? { ...user, found: { result: 'ok', message: usersToken } } : { found: { result: 'skipped', message } };
  }
  try {
    const { accessToken: token, deviations } = await endpoint.request({ grant: 'client_credentials' });
    if (deviations.length === 0) return { token, found: { result: 'ok', message: 'The client ID and secret work.' } };
    const message = deviations.map((one) => `${one.message} (${one.section})`).join(' ');
    return { token, found: { result: 'warning', message } };
  } catch (problem) {
    if (!(problem instanceof AppFailure) || problem.code !== 'UNAUTHORIZED_CLIENT') throw problem;
    const { message } = problem;
    return user
      ? { ...user, found: { result: 'warning', message: `${message} ${usersToken}`, problem } }
      : { found: { result: 'failed', message: `${message} Sign in on the Access screen.`, problem } };
  }
}

const tolerableSkewSeconds = 30;

function checkClock(last: { response: HttpResponse; receivedAt: number } | undefined): Found {
  const at = parseHttpDate(last && headerOf(last.response.headers, 'date'));
  if (!last || at === undefined)
    return { result: 'skipped', message: 'Not tested: the service does not send its time.' };
  const skewSeconds = Math.round((at - last.receivedAt) / 1000);
  if (Math.abs(skewSeconds) <= tolerableSkewSeconds) {
    return { result: 'ok', message: 'The service’s clock matches this computer’s.' };
  }
  const difference =
    skewSeconds > 0
      ? `The service’s clock is ${skewSeconds} s ahead of this computer’s.`
      : `The service’s clock is ${-skewSeconds} s behind this computer’s.`;
  return {
    result: 'warning',
    message: `${difference} Rainbell uses only this computer’s clock for expiry, so tokens still work. Correct the clock that is wrong.`,
  };
}
