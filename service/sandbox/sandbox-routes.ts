// The sandbox controls (contract/service-api/sandbox.ts): rain here, move the clock, choose the provider. Only for this computer:
// loopback Host, no Origin (so no web page can reach it), JSON only, and a token of the sandbox application.
import { X509Certificate } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import {
  callbackAuthoritySchema,
  clockMoveSchema,
  newScenarioSchema,
  newSeriesSchema,
  newWeatherFaultSchema,
  providerChoiceSchema,
  type SandboxState,
  sandboxStateSchema,
  type SandboxWebhookSecrets,
  sandboxWebhookSecretsSchema,
} from '@rainbell/contract/service-api';
import { formatInstant, formatSchemaError, isLoopback, parseTimestamp } from '@rainbell/shared';
import type { RequireBearer } from '../http/access.ts';
import { ServiceError, quotable } from '../errors/service-error.ts';
import type { Area } from '../database/area.ts';
import type { MovableClock } from './movable-clock.ts';
import { cellSpanKm } from '../weather/reading/cells.ts';
import type { SandboxWeather } from '../weather/weather.ts';
import type { WeatherFaults } from '../weather/weather-faults.ts';
import { inPath, type Operation } from '../http/operation.ts';

type Dependencies = {
  clock: MovableClock;
  weather: SandboxWeather;
  faults: WeatherFaults;
  requireBearer: RequireBearer;
  /** The application whose token is accepted. */
  applicationId: string;
  /** Port in the Host headers of this service, such as `127.0.0.1:8420`. */
  port: number;
  /** Returns an application's signing secrets, newest first. */
  webhookSecretsOf: (applicationId: string) => Promise<string[]>;
  /** Sets a certificate authority (PEM) that callbacks trust in addition to the system's; null removes it. */
  trustAuthority: (pem: string | null) => void;
  /** Checks the cells of an area, or all, again; resolves when the resulting events are claimed. */
  sweepNow: (area?: Area) => Promise<void>;
  /** Whether monitors with episodes exist. */
  hasEpisodes: () => Promise<boolean>;
};

const episodeStepMs = 5 * 60_000;
/** Longer moves are for something else than an episode. */
const longestStepped = 12 * 3_600_000;

const providerBody = z.strictObject({ choice: providerChoiceSchema });

function json(schema: z.ZodType, example: object) {
  return { type: 'application/json', schema, example: JSON.stringify(example) };
}

const common = { group: 'Sandbox', access: 'sandbox' } as const;

/** An operation that returns the state after its work. */
type Change = Omit<Operation, 'responses' | keyof typeof common>;
type AddChange = (
  method: 'get' | 'post' | 'put' | 'delete',
  url: string,
  described: Change,
  work: (request: FastifyRequest) => unknown,
) => void;

export function registerSandboxRoutes(server: FastifyInstance, needs: Dependencies): void {
  const { clock, weather, faults } = needs;
  const refuseOthers = async ({ access: { applicationId } }: FastifyRequest) => {
    if (applicationId === needs.applicationId) return;
    throw new ServiceError('access_denied', 'The sandbox controls require a token for the sandbox application.');
  };
  const guards = {
    onRequest: async (request: FastifyRequest) => refuseForeign(request, needs.port),
    preHandler: [needs.requireBearer, refuseOthers],
  };

  const state = async (): Promise<SandboxState> => ({
    clock: { now: formatInstant(clock.now()), aheadSeconds: Math.round(clock.aheadMs() / 1000) },
    ...(await weather.describe()),
    weatherFault: faults.describe(),
  });

  const change: AddChange = (method, url, described, work) => {
    const responses = [{ status: 200, meaning: 'The state of the sandbox.', schema: sandboxStateSchema }];
    server.route({
      method,
      url,
      ...guards,
      config: { operation: { ...common, ...described, responses } },
      handler: async (request) => {
        await work(request);
        return state();
      },
    });
  };

  const getState = {
    id: 'get-sandbox-state',
    title: 'Get the sandbox state',
    description: 'The sandbox’s clock, scenarios, provider, and fault.',
  };
  change('get', '/sandbox/state', getState, () => {});
  addScenarios(change, needs);
  addClockAndSources(change, needs);
  registerSecretRoutes(server, needs, guards);
}

function addScenarios(change: AddChange, { weather, sweepNow }: Dependencies): void {
  /** No event can occur outside; this skips the weather of a thousand other monitors. */
  const sweepAround = ({ center, radiusKm }: Area) => sweepNow({ center, radiusKm: radiusKm + cellSpanKm });

  const addScenario = {
    id: 'add-scenario',
    title: 'Add a scenario',
    description: 'Applies weather around a location for a limited time. Nearby monitors are checked immediately.',
    body: json(newScenarioSchema, { center: { lat: 45.07, lng: 7.69 }, radiusKm: 10, status: 'rainy', minutes: 20 }),
  };
  change('post', '/sandbox/scenarios', addScenario, async ({ body }) => {
    const scenario = parse(newScenarioSchema, body);
    await weather.addScenario(scenario);
    await sweepAround(scenario);
  });

  const addSeries = {
    id: 'add-series',
    title: 'Add a series',
    description:
      'Applies a series of weather around a location: CSV with the columns minute (from now) and mm_per_hour, and optionally kind, ' +
      'temperature_c, and wind_ms. Each line applies until the next one, the last for 12 hours. At most 1,000 lines.',
    body: json(newSeriesSchema, {
      center: { lat: 45.07, lng: 7.69 },
      csv: 'minute,mm_per_hour,kind\n0,0,\n15,2.4,rain\n35,0,',
    }),
  };
  change('post', '/sandbox/series', addSeries, async ({ body }) => {
    const series = parse(newSeriesSchema, body);
    await weather.addSeries(series);
    await sweepAround(series);
  });

  const clearScenarios = { id: 'clear-scenarios', title: 'Clear scenarios', description: 'Ends all scenarios.' };
  change('delete', '/sandbox/scenarios', clearScenarios, () => weather.clearScenarios());

  const endScenario: Change = {
    id: 'end-scenario',
    title: 'End a scenario',
    description: 'Ends one scenario. If it has already ended or does not exist, nothing changes.',
    parameters: [inPath('id', 'a1b2', 'ID of the scenario.')],
  };
  change('delete', '/sandbox/scenarios/:id', endScenario, ({ params }) =>
    weather.endScenario((params as { id: string }).id),
  );
}

function addClockAndSources(change: AddChange, { clock, weather, faults, ...needs }: Dependencies): void {
  /** In steps through episodes, so that each of their events happens at its time. */
  async function advance(ms: number): Promise<void> {
    let left = ms;
    if (ms <= longestStepped && (await needs.hasEpisodes())) {
      for (; left > episodeStepMs; left -= episodeStepMs) {
        clock.moveBy(episodeStepMs);
        await needs.sweepNow();
      }
    }
    clock.moveBy(left);
  }

  const moveClock = {
    id: 'move-clock',
    title: 'Move the clock',
    description: 'Advances the service’s clock, sets it, or resets it to the machine’s clock.',
    body: json(clockMoveSchema, { kind: 'advance', seconds: 3600 }),
  };
  change('post', '/sandbox/clock', moveClock, async ({ body }) => {
    const move = parse(clockMoveSchema, body);
    if (move.kind === 'advance') await advance(move.seconds * 1000);
    else if (move.kind === 'reset') clock.moveBy(-clock.aheadMs());
    else await advance(instantOf(move.instant) - clock.now());
    await needs.sweepNow();
  });

  const chooseProvider = {
    id: 'choose-provider',
    title: 'Choose the weather provider',
    description: 'Uses weather from one provider, or from the first live one that responds.',
    body: json(providerBody, { choice: 'simulation' }),
  };
  change('post', '/sandbox/provider', chooseProvider, async ({ body }) => {
    await weather.choose(parse(providerBody, body).choice);
    await needs.sweepNow();
  });

  const startFault = {
    id: 'start-fault',
    title: 'Start a fault',
    description: 'GET /v2/weather/ responds slowly, with an error, or with a malformed body, for a limited time.',
    body: json(newWeatherFaultSchema, { kind: 'error' }),
  };
  change('put', '/sandbox/fault', startFault, ({ body }) => faults.switchOn(parse(newWeatherFaultSchema, body)));

  const stopFault = {
    id: 'stop-fault',
    title: 'Stop the fault',
    description: 'GET /v2/weather/ responds normally again.',
  };
  change('delete', '/sandbox/fault', stopFault, () => faults.switchOff());
}

type Guards = Pick<RouteShorthandOptions, 'onRequest' | 'preHandler'>;

function registerSecretRoutes(server: FastifyInstance, needs: Dependencies, guards: Guards): void {
  const getWebhookSecrets: Operation = {
    ...common,
    id: 'get-webhook-secrets',
    title: 'Get the webhook secrets',
    description: 'The secret that signs the sandbox’s callbacks, and the previous one while it is still valid.',
    responses: [{ status: 200, meaning: 'The secrets.', schema: sandboxWebhookSecretsSchema }],
  };
  server.get(
    '/sandbox/webhook-secrets',
    { ...guards, config: { operation: getWebhookSecrets } },
    async (_request, reply): Promise<SandboxWebhookSecrets> => {
      const [newest = '', previous] = await needs.webhookSecretsOf(needs.applicationId);
      reply.header('cache-control', 'no-store');
      return { webhook_secret: newest, previous_webhook_secret: previous ?? null };
    },
  );

  const setCallbackAuthority: Operation = {
    ...common,
    id: 'set-callback-authority',
    title: 'Trust a certificate authority',
    description:
      'When sending callbacks, the service also trusts this certificate authority (PEM) until it stops; null removes it.',
    body: json(callbackAuthoritySchema, { pem: null }),
    responses: [{ status: 204, meaning: 'The authority was set.' }],
  };
  server.put(
    '/sandbox/callback-authority',
    { ...guards, config: { operation: setCallbackAuthority } },
    async (request, reply) => {
      const { pem } = parse(callbackAuthoritySchema, request.body);
      if (pem !== null) requireCertificate(pem);
      needs.trustAuthority(pem);
      return reply.code(204).send();
    },
  );
}

function requireCertificate(pem: string): void {
  try {
    if (new X509Certificate(pem).raw.length > 0) return;
  } catch {
    // Thrown below.
  }
  throw new ServiceError('invalid_request', 'pem must be a certificate in PEM, or null.');
}

function refuseForeign(request: FastifyRequest, port: number): void {
  if (request.headers.origin !== undefined) {
    throw new ServiceError('access_denied', 'The sandbox controls do not accept requests from web pages.');
  }
  if (!isLoopbackHost(request.headers.host ?? '', port)) {
    throw new ServiceError('misdirected_request', 'The sandbox controls respond only on this machine, at 127.0.0.1.');
  }
  const hasBody = request.method === 'POST' || request.method === 'PUT';
  if (hasBody && !/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new ServiceError('unsupported_media_type', 'Send JSON with Content-Type: application/json.');
  }
}

/** Rejects names that another site could point to this computer (DNS rebinding). */
function isLoopbackHost(host: string, port: number): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname, port: given } = new URL(`http://${host}`);
  return isLoopback(hostname) && Number(given === '' ? 80 : given) === port;
}

/** The schema has checked the form. */
function instantOf(text: string): number {
  const instant = parseTimestamp(text);
  if (instant === undefined)
    throw new ServiceError('invalid_request', 'instant must be a time like 2026-11-21T06:00:00Z.');
  return instant;
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    'invalid_request',
    `${quotable(formatSchemaError(parsed.error.issues[0], body, 'The body'))}.`,
  );
}
