// Accepts a valid access token only in `Authorization: Bearer` (docs/interface.md §5.1); otherwise sends 401 (RFC 6750 §3).
import { plural } from '@rainbell/shared';
import type { FastifyRequest } from 'fastify';
import { planOf, type Plan } from '../accounts/plans.ts';
import type { RateLimitExceeded, UsageMeter } from '../accounts/usage-meter.ts';
import type { RequireBearer } from '../http/access.ts';
import { leaveSlot, waitsForProviders } from '../http/request-slot.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AccessCheck } from './access-check.ts';

const realm = 'Bearer realm="Rainbell"';
const bearerForm = /^bearer +([\w\-.~+/]+=*) *$/i;

type Dependencies = { check: AccessCheck; usage: UsageMeter; plans: readonly Plan[] };

export function createRequireBearer({ check, usage, plans }: Dependencies): RequireBearer {
  return async (request, reply) => {
    refuseTokenInQuery(request);
    const token = bearerToken(request.headers.authorization);
    const access = await check.find(token);
    if (!access) {
      throw unauthorized(
        'The access token is unknown, expired, or revoked; get a new one at /token/.',
        'invalid_token',
      );
    }
    if (waitsForProviders(request)) leaveSlot();
    const plan = planOf(plans, access.plan);
    if (!usage.isLoaded(access.applicationId)) await usage.load(access.applicationId);
    const excess = usage.count(access.applicationId, plan);
    void reply.headers(usage.fields(access.applicationId, plan));
    if (excess) throw rateLimited(plan, excess);
    request.access = access;
  };
}

export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw unauthorized(
      'Send an access token: Authorization: Bearer ACCESS_TOKEN. Get one with POST /token/.',
      undefined,
    );
  }
  const [, token] = bearerForm.exec(authorization) ?? [];
  if (token === undefined) {
    throw unauthorized('The Authorization header must be: Bearer ACCESS_TOKEN.', 'invalid_token');
  }
  return token;
}

/** Rejects a token in the URL, which ends up in logs and histories (RFC 6750 §5.3), even with a header. */
function refuseTokenInQuery(request: FastifyRequest): void {
  const query = request.url.split('?')[1];
  if (query === undefined || !new URLSearchParams(query).has('access_token')) return;
  throw new ServiceError('invalid_request', 'Send the access token in the Authorization header, not in the URL.', {
    headers: { 'www-authenticate': `${realm}, error="invalid_request"` },
  });
}

const excessTexts = {
  minute: [
    'The {plan} plan allows # request a minute. Try again in {seconds} s, or choose a larger plan.',
    'The {plan} plan allows # requests a minute. Try again in {seconds} s, or choose a larger plan.',
  ],
  day: [
    'The {plan} plan allows # request a day. Try again in {seconds} s, or choose a larger plan.',
    'The {plan} plan allows # requests a day. Try again in {seconds} s, or choose a larger plan.',
  ],
} as const;

function rateLimited(plan: Plan, { window, limit, retryAfterSeconds }: RateLimitExceeded): ServiceError {
  const description = plural(limit, excessTexts[window], { plan: plan.name, seconds: retryAfterSeconds });
  return new ServiceError('rate_limited', description, { retryAfter: retryAfterSeconds });
}

/** RFC 6750 §3.1: a request without any credentials gets no error code in the header. */
function unauthorized(description: string, code: 'invalid_token' | undefined): ServiceError {
  const header = code === undefined ? realm : `${realm}, error="${code}", error_description="${description}"`;
  return new ServiceError('invalid_token', description, { headers: { 'www-authenticate': header } });
}
