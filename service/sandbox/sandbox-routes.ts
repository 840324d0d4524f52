// The sandbox controls (contract/service-api/sandbox.ts): rain here, move the clock, choose the provider. Only for this computer:
// loopback Host, no Origin (so no web page can reach it), JSON only, and a token of the sandbox application.
import { X509Certificate } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  callbackAuthoritySchema,
  clockMoveSchema,
  newScenarioSchema,
  newSeriesSchema,
  newWeatherFaultSchema,
  providerChoiceSchema,
  type SandboxState,
  type SandboxWebhookSecrets,
} from '@rainbell/contract/service-api';
import { formatInstant, formatSchemaError, isLoopback, parseTimestamp } from '@rainbell/shared';
import type { RequireBearer } from '../http/access.ts';
import { ServiceError, quotable } from '../errors/service-error.ts';
import type { Area } from '../database/area.ts';
import type { MovableClock } from './movable-clock.ts';
import type { SandboxWeather } from '../weather/weather.ts';
import type { WeatherFaults } from '../weather/weather-faults.ts';
import {
  addScenario,
  addSeries,
  chooseProvider,
  clearScenarios,
  endScenario,
  getSandboxState,
  getWebhookSecrets,
  moveClock,
  setCallbackAuthority,
  startFault,
  stopFault,
} from './sandbox-operations.ts';

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

/** Weather is fetched for one place of a cell, which may be this far from another. */
const cellKm = 16;

const providerBody = z.strictObject({ choice: providerChoiceSchema });

export function registerSandboxRoutes(server: FastifyInstance, needs: Dependencies): void {
  const { clock, weather, faults } = needs;
  const onRequest = async (request: FastifyRequest) => refuseForeign(request, needs.port);
  const refuseOthers = async ({ access: { applicationId } }: FastifyRequest) => {
    if (applicationId === needs.applicationId) return;
    throw new ServiceError('access_denied', 'The sandbox controls require a token for the sandbox application.');
  };
  const preHandler = [needs.requireBearer, refuseOthers];
  const guards = { onRequest, preHandler };

  const state = async (): Promise<SandboxState> => ({
    clock: { now: formatInstant(clock.now()), aheadSeconds: Math.round(clock.aheadMs() / 1000) },
    ...(await weather.describe()),
    weatherFault: faults.describe(),
  });

  /** No event can occur outside; this skips the weather of a thousand other monitors. */
  const sweepAround = ({ center, radiusKm }: Area) => needs.sweepNow({ center, radiusKm: radiusKm + cellKm });

  server.get('/sandbox/state', { ...guards, config: { operation: getSandboxState } }, state);

  server.post('/sandbox/scenarios', { ...guards, config: { operation: addScenario } }, async (request) => {
    const scenario = parse(newScenarioSchema, request.body);
    await weather.addScenario(scenario);
    await sweepAround(scenario);
    return state();
  });

  server.post('/sandbox/series', { ...guards, config: { operation: addSeries } }, async (request) => {
    const series = parse(newSeriesSchema, request.body);
    await weather.addSeries(series);
    await sweepAround(series);
    return state();
  });

  server.delete('/sandbox/scenarios', { ...guards, config: { operation: clearScenarios } }, async () => {
    await weather.clearScenarios();
    return state();
  });

  server.delete<{ Params: { id: string } }>(
    '/sandbox/scenarios/:id',
    { ...guards, config: { operation: endScenario } },
    async (request) => {
      weather.endScenario(request.params.id);
      return state();
    },
  );

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

  server.post('/sandbox/clock', { ...guards, config: { operation: moveClock } }, async (request) => {
    const move = parse(clockMoveSchema, request.body);
    if (move.kind === 'advance') await advance(move.seconds * 1000);
    else if (move.kind === 'reset') clock.moveBy(-clock.aheadMs());
    else await advance(instantOf(move.instant) - clock.now());
    await needs.sweepNow();
    return state();
  });

  server.post('/sandbox/provider', { ...guards, config: { operation: chooseProvider } }, async (request) => {
    await weather.choose(parse(providerBody, request.body).choice);
    await needs.sweepNow();
    return state();
  });

  server.get(
    '/sandbox/webhook-secrets',
    { ...guards, config: { operation: getWebhookSecrets } },
    async (_request, reply): Promise<SandboxWebhookSecrets> => {
      const [newest = '', previous] = await needs.webhookSecretsOf(needs.applicationId);
      reply.header('cache-control', 'no-store');
      return { webhook_secret: newest, previous_webhook_secret: previous ?? null };
    },
  );

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

  server.put('/sandbox/fault', { ...guards, config: { operation: startFault } }, async (request) => {
    faults.switchOn(parse(newWeatherFaultSchema, request.body));
    return state();
  });

  server.delete('/sandbox/fault', { ...guards, config: { operation: stopFault } }, async () => {
    faults.switchOff();
    return state();
  });
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
