// The sandbox control of our own service: "rain here for 20 minutes", a movable clock, the choice of provider, faults on
// purpose. It is an addition to the interface, served under `/sandbox/` to this machine only (docs/decisions/structure.md).
import { z } from 'zod';
import { latLngSchema } from './geo.ts';
import { statuses } from './vocabulary.ts';

/** Live weather providers, in the order `auto` asks them. CONTRIBUTING.md says how to add one. */
export const liveProviders = ['open-meteo', 'met-norway'] as const;
export type LiveProvider = (typeof liveProviders)[number];
export const providerChoices = ['auto', ...liveProviders, 'simulation'] as const;
export const providerChoiceSchema = z.enum(providerChoices);
export type ProviderChoice = z.infer<typeof providerChoiceSchema>;

const statusSchema = z.enum(statuses);

/** Weather laid over whatever the provider says, within `radiusKm` of a place, between two instants (RFC 3339). */
export const scenarioSchema = z.object({
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
  center: latLngSchema,
  status: statusSchema.default('rainy'),
  minutes: z.number().int().min(1).max(4320),
  startsInMinutes: z.number().int().min(0).max(4320).default(0),
  radiusKm: z.number().min(0.1).max(500).default(30),
});
export type NewScenario = z.input<typeof newScenarioSchema>;

/** Body of `POST /sandbox/clock`: forward by seconds, to an instant (RFC 3339), or back to the machine's time. */
export const clockMoveSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('advance'), seconds: z.number().int().min(1).max(31_536_000) }),
  z.object({ kind: z.literal('set'), instant: z.iso.datetime({ offset: true }) }),
  z.object({ kind: z.literal('reset') }),
]);
export type ClockMove = z.infer<typeof clockMoveSchema>;

/** How the service can be made to misbehave at `GET /v2/weather/`: late, 500, 429, 401, or 200 with half a body. */
export const weatherFaultKinds = ['slow', 'error', 'rate_limited', 'unauthorized', 'malformed'] as const;
const weatherFaultKindSchema = z.enum(weatherFaultKinds);
export type WeatherFaultKind = z.infer<typeof weatherFaultKindSchema>;

/** Body of `PUT /sandbox/fault`: what goes wrong, until so many requests were hit or so many minutes passed. */
export const newWeatherFaultSchema = z.object({
  kind: weatherFaultKindSchema,
  /** Null does not count them. */
  requests: z.number().int().min(1).max(100_000).nullable().default(null),
  minutes: z.number().int().min(1).max(1440).default(5),
  /** How late `slow` answers; the others answer at once. */
  delaySeconds: z.number().min(0.1).max(120).default(5),
});
export type NewWeatherFault = z.input<typeof newWeatherFaultSchema>;

/** The fault that is switched on. */
export const weatherFaultSchema = z.object({
  kind: weatherFaultKindSchema,
  requestsLeft: z.number().nullable(),
  requestsHit: z.number(),
  delaySeconds: z.number(),
  /** RFC 3339, of the service's clock. */
  endsAt: z.string(),
});
export type WeatherFault = z.infer<typeof weatherFaultSchema>;

/** Answer of every `/sandbox/` route. Instants are RFC 3339; `aheadSeconds` is the clock's distance from the machine's. */
export const sandboxStateSchema = z.object({
  clock: z.object({ now: z.string(), aheadSeconds: z.number() }),
  provider: z.object({
    choice: providerChoiceSchema,
    lastAnswered: z.string().nullable(),
    lastErrors: z.array(z.object({ provider: z.string(), at: z.string(), message: z.string() })),
  }),
  cache: z.object({ hits: z.number(), misses: z.number(), cells: z.number() }),
  scenarios: z.array(scenarioSchema),
  /** Null: the weather answers as it should. */
  weatherFault: weatherFaultSchema.nullable().default(null),
});
export type SandboxState = z.infer<typeof sandboxStateSchema>;

/** Body of `PUT /sandbox/callback-authority`: whose certificates callbacks trust besides the system's (PEM); null ends that. */
export const callbackAuthoritySchema = z.strictObject({ pem: z.string().max(20_000).nullable() });

/** What a service tells its host, or `npm run service -- --json` prints: where it is, and the sandbox's credentials. */
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

/** Answer to `GET /sandbox/webhook-secrets`: what signs the callbacks of the sandbox application now (Standard Webhooks). */
export const sandboxWebhookSecretsSchema = z.object({
  webhook_secret: z.string(),
  /** Signs beside it for a while after a change. */
  previous_webhook_secret: z.string().nullable(),
});
export type SandboxWebhookSecrets = z.infer<typeof sandboxWebhookSecretsSchema>;
