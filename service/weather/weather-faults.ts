// Injected faults (contract/service-api/sandbox.ts): `GET /v2/weather/` responds late, with 500, 429, 401, or half a body, so that
// developers can test their clients. Each error says that it was injected.
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { type Clock, formatInstant, minuteMs } from '@rainbell/shared';
import { pause } from '@rainbell/shared/node';
import type { newWeatherFaultSchema, WeatherFault, WeatherFaultKind } from '@rainbell/contract/service-api';
import { ServiceError } from '../errors/service-error.ts';

type NewFault = z.output<typeof newWeatherFaultSchema>;

export type WeatherFaults = ReturnType<typeof createWeatherFaults>;

/** `endsAt`: by `elapsed()`. */
type Active = { fault: NewFault; endsAt: number; hit: number };

const cause = 'A sandbox fault is active';

export const brokenBody = '{"objects": [{"timestamp": "2026-';

export function createWeatherFaults(clock: Clock) {
  let active: Active | undefined;

  function current(): Active | undefined {
    if (!active) return undefined;
    const isSpent = active.fault.requests !== null && active.hit >= active.fault.requests;
    if (isSpent || clock.elapsed() >= active.endsAt) active = undefined;
    return active;
  }

  return {
    /** While it is on, every weather request must pass the hook. */
    isOn: () => current() !== undefined,
    switchOn(fault: NewFault) {
      active = { fault, endsAt: clock.elapsed() + fault.minutes * minuteMs, hit: 0 };
    },
    switchOff() {
      active = undefined;
    },
    describe(): WeatherFault | null {
      const on = current();
      if (!on) return null;
      const { kind, requests, delaySeconds } = on.fault;
      const requestsLeft = requests === null ? null : requests - on.hit;
      return {
        kind,
        requestsLeft,
        requestsHit: on.hit,
        delaySeconds,
        endsAt: formatInstant(clock.now() + on.endsAt - clock.elapsed()),
      };
    },
    async hook(reply: FastifyReply): Promise<unknown> {
      const on = current();
      if (!on) return undefined;
      on.hit += 1;
      if (on.fault.kind === 'slow') {
        // Ends early when the client disconnects, or the service closes its connection.
        const closed = new AbortController();
        reply.raw.once('close', () => closed.abort());
        return pause(clock, on.fault.delaySeconds * 1000, closed.signal);
      }
      if (on.fault.kind === 'malformed') {
        return reply.type('application/json; charset=utf-8').send(brokenBody);
      }
      throw refusals[on.fault.kind]();
    },
  };
}

const refusals: Readonly<Record<Exclude<WeatherFaultKind, 'slow' | 'malformed'>, () => ServiceError>> = {
  error: () => new ServiceError('server_error', `${cause}: weather requests return 500.`),
  rate_limited: () => new ServiceError('rate_limited', `${cause}: weather requests return 429.`, { retryAfter: 5 }),
  unauthorized: () =>
    new ServiceError('invalid_token', `${cause}: weather requests return 401.`, {
      headers: { 'www-authenticate': 'Bearer realm="Rainbell", error="invalid_token"' },
    }),
};
