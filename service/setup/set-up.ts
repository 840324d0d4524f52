// Sets up rain events for a home: an application, a monitor, and a test event. It uses the API like any client,
// so that the same rules, limits, and queue apply. The website's first pages and `npm run operator -- setup` share it.
import { parseLatLng, systemClock } from '@rainbell/shared';
import { type City, readAllCities } from '@rainbell/shared/node';
import {
  type EventPage,
  formatFailure,
  type GeoPoint,
  type LatLng,
  type MonitorOptions,
} from '@rainbell/contract/service-api';
import { inHousePlanId } from '../accounts/plans.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withoutSlot } from '../http/request-slot.ts';
import { type ApiRequest, callJson, monitorPath, type SendToApi } from '../oauth/call-api.ts';
import type { OAuth } from '../oauth/create-oauth.ts';

type Dependencies = { oauth: Pick<OAuth, 'applications' | 'contracts' | 'tokens'>; send: SendToApi };

export type HomeMonitor = MonitorOptions & { callback_uri: string; geo: LatLng };
type Attempt = EventPage['objects'][number]['attempts'][number];
export type TestResult = Pick<Attempt, 'http_status' | 'error' | 'latency_ms' | 'answer'> & { isGood: boolean };

const applicationName = 'Home';
/** An attempt ends after 15 s. */
const [lookMs, looks] = [200, 100];

export function createSetup({ oauth: { applications, contracts, tokens }, send }: Dependencies) {
  const call = <Json>(id: string, method: ApiRequest['method'], path: string, body?: object) =>
    callJson<Json>({ tokens, send }, { id, account_id: '' }, { method, path, body: body && JSON.stringify(body) });

  return {
    /** Returns the account's application for its home, created if missing; the secret only then. */
    async application(accountId: string) {
      const known = (await applications.listOf(accountId)).find(({ name }) => name === applicationName);
      if (known) return { id: known.id, clientId: known.client_id, clientSecret: undefined };
      await contracts.ensure(accountId, inHousePlanId);
      const text = { name: applicationName, description: 'Rain events for this home.', redirectUris: [] };
      const kind = { isPublic: false, requiresPkce: false, allowsPassword: false };
      return applications.create({ accountId, plan: inHousePlanId, ...text, ...kind });
    },
    addMonitor: (applicationId: string, monitor: HomeMonitor) =>
      call<{ id: string }>(applicationId, 'POST', monitorPath(), { monitor_type: 'precipitation', ...monitor }),
    monitor: (applicationId: string, monitorId: string) =>
      call<{ callback_uri: string; geo: GeoPoint }>(applicationId, 'GET', monitorPath(monitorId)),
    changeCallback: (applicationId: string, monitorId: string, callback_uri: string) =>
      call(applicationId, 'PATCH', monitorPath(monitorId), { callback_uri }),
    /** Sends a test event and waits for its result, with the start of the response. */
    async sendTest(applicationId: string, monitorId: string): Promise<TestResult> {
      const path = `${monitorPath(monitorId)}test-event/`;
      const { event_id } = await call<{ event_id: string }>(applicationId, 'POST', path);
      for (let look = 0; look < looks; look += 1) {
        await withoutSlot(() => new Promise<void>((resolve) => void systemClock.after(lookMs, resolve)));
        const { objects } = await call<EventPage>(applicationId, 'GET', `/v2/events/?monitor=${monitorId}`);
        const [done] = objects.find(({ id }) => id === event_id)?.attempts ?? [];
        if (done) return { ...done, answer: done.answer.slice(0, 200), isGood: done.error === null };
      }
      throw new ServiceError('temporarily_unavailable', 'The test event is still waiting. Try again in a minute.');
    },
  };
}

/** The first account. Nothing is sent to its address. */
export function homeAccount(username: string, password: string) {
  const email = `${username.toLowerCase()}@rainbell.invalid`;
  return { username, email, password, isOperator: true, emailState: 'claimed' } as const;
}

/** "200 OK after 41 ms", or why there was no response. */
export function describeTest(result: TestResult): string {
  return `${formatFailure(result)} after ${result.latency_ms} ms`;
}

/** Parses coordinates or the name of a town; returns what is wrong as a sentence. */
export function parsePlace(text: string): LatLng | string {
  const read = parseLatLng(text);
  if (read) return read;
  const fold = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
  const wanted = fold(text);
  const town = findTown(({ name }) => fold(name) === wanted);
  return town ? { lat: town.lat, lng: town.lng } : 'No town has this name. Enter coordinates such as 59.91, 10.75.';
}

/** `Rome, Italy, 41.89193, 12.51133`: several towns may have the name that was typed. */
export function describePlace({ lat, lng }: LatLng): string {
  const town = findTown((city) => city.lat === lat && city.lng === lng);
  const country = town && new Intl.DisplayNames(['en'], { type: 'region' }).of(town.countryCode);
  return town ? `${town.name}, ${country}, ${lat}, ${lng}` : `${lat}, ${lng}`;
}

/** The largest town that matches. Reading all takes 0.3 s, a few times per monitor that is set up. */
function findTown(isWanted: (city: City) => boolean): City | undefined {
  const cities = readAllCities();
  let best: City | undefined;
  for (let place = 0; place < cities.count; place += 1)
    if (best === undefined || cities.population(place) > best.population) {
      const city = cities.cityAt(place);
      if (isWanted(city)) best = city;
    }
  return best;
}
