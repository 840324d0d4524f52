// Sets up a monitor for whoever runs the service at home: an application, a monitor, and a test event. It uses the API like any client,
// so that the same rules, limits, and queue apply. The website's first pages and `npm run operator -- setup` share it.
import { parseDegrees, systemClock } from '@rainbell/shared';
import { readAllCities } from '@rainbell/shared/node';
import type { DeliveryAttempt, LatLng, MonitorOptions } from '@rainbell/contract/service-api';
import { inHousePlanId } from '../accounts/plans.ts';
import type { ContractStore } from '../accounts/contract-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withoutSlot } from '../http/request-slot.ts';
import type { OAuth } from '../oauth/create-oauth.ts';

type ApiRequest = { method: 'GET' | 'POST' | 'PATCH'; path: string; token: string; body?: object };
/** Resolves to the response's status and JSON. */
export type CallApi = (request: ApiRequest) => Promise<{ status: number; json: unknown }>;

type Dependencies = { oauth: Pick<OAuth, 'applications' | 'tokens'>; contracts: ContractStore; callApi: CallApi };

export type HomeMonitor = MonitorOptions & { callback_uri: string; geo: LatLng };
/** `secret`: only of an application that was created now. */
type HomeApplication = { id: string; clientId: string; clientSecret: string | undefined };
export type TestResult = Pick<DeliveryAttempt, 'http_status' | 'error' | 'latency_ms' | 'answer'> & { isGood: boolean };

const applicationName = 'Home';
const shownAnswer = 200;
const lookMs = 200;
/** An attempt ends after 15 s. */
const looks = 100;

export type Setup = ReturnType<typeof createSetup>;

export function createSetup({ oauth: { applications, tokens }, contracts, callApi }: Dependencies) {
  /** Throws a ServiceError with the API's description if it refuses. */
  async function call<Json>(applicationId: string, request: Omit<ApiRequest, 'token'>): Promise<Json> {
    const grant = await tokens.createGrant({ applicationId, accountId: null, kind: 'client_credentials', scope: [] });
    try {
      const token = await tokens.issueAccessToken(grant, []);
      const { status, json } = await withoutSlot(() => callApi({ ...request, token }));
      if (status < 300) return json as Json;
      throw new ServiceError('invalid_request', (json as { error_description: string }).error_description, { status });
    } finally {
      await tokens.revoke({ grantId: grant.id });
    }
  }

  return {
    /** Returns the account's application for its home, created if missing. */
    async application(accountId: string): Promise<HomeApplication> {
      const known = (await applications.listOf(accountId)).find(({ name }) => name === applicationName);
      if (known) return { id: known.id, clientId: known.client_id, clientSecret: undefined };
      const { id: contractId } = await contracts.ensure(accountId, inHousePlanId);
      const text = { name: applicationName, description: 'Rain events for this home.', redirectUris: [] };
      const kind = { isPublic: false, requiresPkce: false, allowsPassword: false };
      const created = await applications.create({ accountId, contractId, ...text, ...kind });
      return { ...created, clientSecret: created.clientSecret };
    },
    /** Returns the new monitor's ID. */
    async addMonitor(applicationId: string, monitor: HomeMonitor): Promise<string> {
      const body = { monitor_type: 'precipitation', ...monitor };
      return (await call<{ id: string }>(applicationId, { method: 'POST', path: '/v2/monitors/', body })).id;
    },
    callbackOf: async (applicationId: string, monitorId: string) =>
      (await call<{ callback_uri: string }>(applicationId, { method: 'GET', path: pathOf(monitorId) })).callback_uri,
    changeCallback: (applicationId: string, monitorId: string, callback_uri: string) =>
      call(applicationId, { method: 'PATCH', path: pathOf(monitorId), body: { callback_uri } }),
    /** Sends a test event and waits for its result. */
    async sendTest(applicationId: string, monitorId: string): Promise<TestResult> {
      const path = `${pathOf(monitorId)}test-event/`;
      const { event_id } = await call<{ event_id: string }>(applicationId, { method: 'POST', path });
      for (let look = 0; look < looks; look += 1) {
        await withoutSlot(() => new Promise<void>((resolve) => void systemClock.after(lookMs, resolve)));
        const log = `${pathOf(monitorId)}deliveries/`;
        const { objects } = await call<{ objects: DeliveryAttempt[] }>(applicationId, { method: 'GET', path: log });
        const done = objects.find((attempt) => attempt.event_id === event_id);
        if (done) return { ...done, answer: done.answer.slice(0, shownAnswer), isGood: done.error === null };
      }
      throw new ServiceError('temporarily_unavailable', 'The test event is still waiting. Try again in a minute.');
    },
  };
}

function pathOf(monitorId: string): string {
  return `/v2/monitors/${encodeURIComponent(monitorId)}/`;
}

/** "HTTP 200 in 41 ms", or why there was no response. */
export function describeTest({ http_status, error, latency_ms }: TestResult): string {
  return http_status === null
    ? `no response (${error}) after ${latency_ms} ms`
    : `HTTP ${http_status} in ${latency_ms} ms`;
}

/** Parses coordinates or the name of a town; returns what is wrong as a sentence. */
export function parsePlace(text: string): LatLng | string {
  const pair = /^([^,;\s]+)[,;\s]+([^,;\s]+)$/.exec(text.trim());
  if (pair && /\d/.test(text)) {
    const [lat, lng] = [parseDegrees(pair[1] ?? '', 'lat'), parseDegrees(pair[2] ?? '', 'lng')];
    return lat.ok ? (lng.ok ? { lat: lat.value, lng: lng.value } : lng.problem) : lat.problem;
  }
  return findTown(text) ?? 'No town has this name. Enter coordinates such as 59.91, 10.75.';
}

/** The largest town with that name. Reading all takes 0.3 s, which whoever sets up a monitor does not notice. */
function findTown(text: string): LatLng | undefined {
  const fold = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
  const cities = readAllCities();
  let best: { place: number; population: number } | undefined;
  for (let place = 0; place < cities.count; place += 1) {
    const population = cities.population(place);
    if (population > (best?.population ?? -1) && fold(cities.cityAt(place).name) === fold(text))
      best = { place, population };
  }
  return best && { lat: cities.lat(best.place), lng: cities.lng(best.place) };
}
