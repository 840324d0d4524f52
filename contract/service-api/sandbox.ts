// The sandbox controls: "rain here for 20 minutes", a movable clock, the choice of provider, injected faults. A Rainbell extension,
// served under `/sandbox/` to this computer only (docs/operations.md).
import { z } from 'zod';
import { providerAttributions } from '@rainbell/shared';
import { type LatLng, latLngSchema } from './geo.ts';
import { precipitationTypes } from './rain-event.ts';
import { kelvin, readRainSeries, statusOfKind } from './rain-series.ts';
import { statuses } from './vocabulary.ts';

export type LiveProvider = keyof typeof providerAttributions;
/** Live weather providers, in the order in which `auto` queries them. */
export const liveProviders = Object.keys(providerAttributions) as readonly LiveProvider[];
export const providerChoices = ['auto', ...liveProviders, 'simulation'] as const;
export const providerChoiceSchema = z.enum(providerChoices);
export type ProviderChoice = z.infer<typeof providerChoiceSchema>;

const statusSchema = z.enum(statuses);

const scenarioValues = {
  mmPerHour: z.number().min(0.1).max(300).optional().describe('rate of its precipitation; absent: unknown'),
  kind: z.enum(precipitationTypes).optional().describe('kind of its precipitation; absent: by the status'),
  temperature: z.number().min(180).max(330).optional().describe('kelvin'),
  windSpeed: z.number().min(0).max(110).optional().describe('m/s'),
};

/** Weather that replaces the provider's within `radiusKm` of a place, between two times (RFC 3339). */
export const scenarioSchema = z.object({
  ...scenarioValues,
  id: z.string(),
  center: latLngSchema,
  radiusKm: z.number(),
  status: statusSchema,
  startsAt: z.string(),
  endsAt: z.string(),
});
export type Scenario = z.infer<typeof scenarioSchema>;

/** Body of `POST /sandbox/scenarios`: a status over a place from now (or `startsInMinutes`) for some minutes. */
export const newScenarioSchema = z.object({
  ...scenarioValues,
  center: latLngSchema,
  status: statusSchema.default('rainy'),
  minutes: z.int().min(1).max(4320),
  startsInMinutes: z.int().min(0).max(4320).default(0),
  radiusKm: z.number().min(0.1).max(500).default(30),
});
export type NewScenario = z.input<typeof newScenarioSchema>;

/** What "make it rain" takes, wherever it is offered. */
export const rainSchema = z.object({ ...scenarioValues, minutes: newScenarioSchema.shape.minutes.optional() });
export type Rain = z.infer<typeof rainSchema>;

/** The scenario of rain around a location; by default, an unknown amount of rain for 20 minutes. */
export function rainAt(center: LatLng, { minutes = 20, ...weather }: Rain = {}): NewScenario & { minutes: number } {
  return { center, minutes, status: statusOfKind(weather.kind), ...weather };
}

/** For people, for instance `snow, 3 mm/h, for 20 min`. */
export function formatRain({ kind = 'rain', mmPerHour, temperature, windSpeed, minutes = 20 }: Rain): string {
  return [
    kind.replace('_', ' '),
    ...(mmPerHour === undefined ? [] : [`${mmPerHour} mm/h`]),
    ...(temperature === undefined ? [] : [`${Math.round((temperature - kelvin) * 10) / 10} °C`]),
    ...(windSpeed === undefined ? [] : [`wind ${windSpeed} m/s`]),
    `for ${minutes} min`,
  ].join(', ');
}

/** Body of `POST /sandbox/series`: weather over a place from now on, as CSV (rain-series.ts). */
export const newSeriesSchema = z.object({
  ...newScenarioSchema.pick({ center: true, radiusKm: true }).shape,
  csv: z.string().superRefine((csv, context) => {
    const steps = readRainSeries(csv);
    if (typeof steps === 'string') context.addIssue(steps);
  }),
});
export type NewSeries = z.input<typeof newSeriesSchema>;

/** Body of `POST /sandbox/clock`: forward by seconds, to a time (RFC 3339), or back to the machine's time. */
export const clockMoveSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('advance'), seconds: z.int().min(1).max(31_536_000) }),
  z.object({ kind: z.literal('set'), instant: z.iso.datetime({ offset: true }) }),
  z.object({ kind: z.literal('reset') }),
]);
export type ClockMove = z.infer<typeof clockMoveSchema>;

/** Faults that can be injected at `GET /v2/weather/`: late, 500, 429, 401, or 200 with half a body. */
export const weatherFaultKinds = ['slow', 'error', 'rate_limited', 'unauthorized', 'malformed'] as const;
const weatherFaultKindSchema = z.enum(weatherFaultKinds);
export type WeatherFaultKind = z.infer<typeof weatherFaultKindSchema>;

/** Body of `PUT /sandbox/fault`: the fault, and after how many requests or minutes it stops. */
export const newWeatherFaultSchema = z.object({
  kind: weatherFaultKindSchema,
  /** Null for no limit. */
  requests: z.int().min(1).max(100_000).nullable().default(null),
  minutes: z.int().min(1).max(1440).default(5),
  /** Delay of `slow` responses; other faults respond at once. */
  delaySeconds: z.number().min(0.1).max(120).default(5),
});
export type NewWeatherFault = z.input<typeof newWeatherFaultSchema>;

/** The active fault. */
export const weatherFaultSchema = z.object({
  kind: weatherFaultKindSchema,
  requestsLeft: z.number().nullable(),
  requestsHit: z.number(),
  delaySeconds: z.number(),
  /** RFC 3339, by the service's clock. */
  endsAt: z.string(),
});
export type WeatherFault = z.infer<typeof weatherFaultSchema>;

/** Response of every `/sandbox/` route. Times are RFC 3339; `aheadSeconds` is the clock minus the machine's. */
export const sandboxStateSchema = z.object({
  clock: z.object({ now: z.string(), aheadSeconds: z.number() }),
  provider: z.object({
    choice: providerChoiceSchema,
    lastAnswered: z.string().nullable(),
    lastErrors: z.array(z.object({ provider: z.string(), at: z.string(), message: z.string() })),
  }),
  cache: z.object({ hits: z.number(), misses: z.number(), cells: z.number() }),
  scenarios: z.array(scenarioSchema),
  /** Null: no fault is active. */
  weatherFault: weatherFaultSchema.nullable().default(null),
});
export type SandboxState = z.infer<typeof sandboxStateSchema>;

/** Body of `PUT /sandbox/callback-authority`: a CA (PEM) that callbacks trust in addition to the system's; null removes it. */
export const callbackAuthoritySchema = z.strictObject({ pem: z.string().max(20_000).nullable() });

/** What a service on loopback sends its host: its URL and the sandbox's credentials. */
export const serviceIntroductionSchema = z.object({
  baseUrl: z.string(),
  authUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  redirectUri: z.string(),
  username: z.string(),
  password: z.string(),
});
export type ServiceIntroduction = z.infer<typeof serviceIntroductionSchema>;

type Address = Pick<ServiceIntroduction, 'baseUrl' | 'authUrl'>;
/** Output of `npm run service -- --json`: the same, with null for the credentials if the service has no sandbox (not on loopback). */
export type ServiceAnnouncement =
  | ServiceIntroduction
  | (Address & Readonly<Record<Exclude<keyof ServiceIntroduction, keyof Address>, null>>);

/** Response to `GET /sandbox/webhook-secrets`: the secrets that sign the sandbox application's callbacks (Standard Webhooks). */
export const sandboxWebhookSecretsSchema = z.object({
  webhook_secret: z.string(),
  /** Also signs for a while after a change. */
  previous_webhook_secret: z.string().nullable(),
});
export type SandboxWebhookSecrets = z.infer<typeof sandboxWebhookSecretsSchema>;
