// Signs in without a browser on this machine (RFC 8628): the service returns a code, the user enters it elsewhere, and the token
// endpoint is polled, at the interval that the service requests, until the user has responded.
import { z } from 'zod';
import type { Clock } from '#shared/time/clock.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { HttpResponse } from '#core/http/http-sender.ts';
import { hostOf } from '#core/http/http-headers.ts';
import { serviceMessage } from '#core/http/service-message.ts';
import type { ReceivedToken } from '#core/tokens/token-response.ts';
import type { Connection } from '../connection/connection.ts';
import { readAs } from '../connection/api-client.ts';
import { fetchMetadata } from '../connection/server-metadata.ts';
import type { FlowRecorder } from './flow-log.ts';
import { serviceOrigins } from './revoke-token.ts';

/** What the user needs. Both URLs are http or https; the second one contains the code, if the service offers that. */
export type DeviceCode = {
  userCode: string;
  verificationUri: string;
  completeUri: string | undefined;
  lifetimeMs: number;
};

export type DeviceOutcome =
  | { kind: 'approved'; received: ReceivedToken; requestedAt: number }
  | { kind: 'denied' }
  | { kind: 'expired' }
  | { kind: 'closed' };

type DeviceSignIn = {
  connection: Connection;
  scope: string;
  clock: Clock;
  flow: Pick<FlowRecorder, 'recordResponse'>;
  /** Ends it as `closed`. */
  signal: AbortSignal;
  onCode: (code: DeviceCode) => void;
};

const defaultIntervalSeconds = 5;
const maxIntervalSeconds = 120;
const defaultLifetimeSeconds = 15 * 60;
const maxLifetimeSeconds = 3_600;

const webAddress = z
  .string()
  .max(2_000)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https URL');
/** Some services write numbers as texts. */
const seconds = (fallback: number, max: number) =>
  z.coerce
    .number()
    .positive()
    .catch(fallback)
    .transform((value) => Math.min(value, max));

/** RFC 8628 section 3.2, with the name that some services from before it have for the page. */
const responseSchema = z
  .looseObject({
    device_code: z.string().min(1).max(4_000),
    user_code: z.string().min(1).max(100),
    verification_uri: webAddress.optional(),
    verification_url: webAddress.optional(),
    verification_uri_complete: webAddress.optional().catch(undefined),
    expires_in: seconds(defaultLifetimeSeconds, maxLifetimeSeconds),
    interval: seconds(defaultIntervalSeconds, maxIntervalSeconds),
  })
  .refine((response) => (response.verification_uri ?? response.verification_url) !== undefined, {
    message: 'is missing',
    path: ['verification_uri'],
  });

/** Throws AppFailure: REFUSED if the service does not offer it, otherwise the token endpoint's error. */
export async function signInByDevice(request: DeviceSignIn): Promise<DeviceOutcome> {
  const { connection, scope, clock, flow, signal, onCode } = request;
  const endpoint = await findDeviceEndpoint(connection);
  const response = await connection.endpoint.authorizeDevice(endpoint, scope, flow.recordResponse);
  const granted = await readAs(
    response,
    responseSchema,
    (host, problem) => `${host} returned a device code that cannot be used: ${problem}.`,
  );
  const endsAt = clock.elapsed() + granted.expires_in * 1000;
  onCode({
    userCode: granted.user_code,
    verificationUri: granted.verification_uri ?? granted.verification_url ?? '',
    completeUri: granted.verification_uri_complete,
    lifetimeMs: granted.expires_in * 1000,
  });
  let waitSeconds = granted.interval;
  for (;;) {
    await pause(clock, Math.min(waitSeconds * 1000, Math.max(0, endsAt - clock.elapsed())), signal);
    if (signal.aborted) return { kind: 'closed' };
    if (clock.elapsed() >= endsAt) return { kind: 'expired' };
    const requestedAt = clock.now();
    try {
      const grant = { grant: 'device_code', deviceCode: granted.device_code } as const;
      return { kind: 'approved', received: await connection.endpoint.request(grant, watch(flow)), requestedAt };
    } catch (error) {
      const next = afterFailure(error, waitSeconds);
      if (typeof next !== 'number') return next;
      waitSeconds = Math.min(next, maxIntervalSeconds);
    }
  }
}

/** The seconds until the next poll, or how it ended. Throws what ends it otherwise. */
function afterFailure(error: unknown, waitSeconds: number): number | DeviceOutcome {
  if (!(error instanceof AppFailure)) throw error;
  const { error: code, retryAfterSeconds = 0 } = error.details;
  if (code === 'authorization_pending') return waitSeconds;
  // For all polls from now on (RFC 8628 section 3.5).
  if (code === 'slow_down') return waitSeconds + 5;
  if (code === 'access_denied') return { kind: 'denied' };
  if (code === 'expired_token') return { kind: 'expired' };
  const isPassing = error.code === 'NETWORK' || error.code === 'SERVER' || error.code === 'RATE_LIMITED';
  if (!isPassing) throw error;
  return Math.max(2 * waitSeconds, retryAfterSeconds);
}

/** Polls that say "not yet" all look alike, and there can be hundreds. */
function watch(flow: Pick<FlowRecorder, 'recordResponse'>): (response: HttpResponse) => void {
  return (response) => {
    if (serviceMessage(response).error !== 'authorization_pending') flow.recordResponse(response);
  };
}

/** The client secret goes there, so it must be on an origin of the service. */
async function findDeviceEndpoint(connection: Connection): Promise<string> {
  const { origins, isOfService } = serviceOrigins(connection);
  for (const origin of new Set(origins)) {
    const endpoint = (await fetchMetadata(connection, origin))?.device_authorization_endpoint;
    if (endpoint !== undefined && isOfService(endpoint)) return endpoint;
  }
  throw new AppFailure(
    'REFUSED',
    `${hostOf(connection.baseUrl)} does not offer sign-in with a device code: its metadata has no device_authorization_endpoint at this host. Sign in another way.`,
    { error: 'unsupported_grant_type' },
  );
}

function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancelTimer = clock.after(delayMs, done);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      cancelTimer();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
