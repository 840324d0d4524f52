// A plan's limits and remaining requests as response fields
// (https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10).
import type { Plan } from './plans.ts';

export type RateLimitFields = { readonly 'ratelimit-policy'?: string; readonly ratelimit?: string };

/** What remains of a window, and the seconds until the next one. */
export type WindowStatus = { left: number; secondsLeft: number };

const minuteSeconds = 60;
const daySeconds = 86_400;
const none: RateLimitFields = {};
/** Plans live as long as the service, so their policies are formatted once. */
const policies = new WeakMap<Plan, string>();

/** The fields of a counted request; empty for a plan without limits. */
export function rateLimitFields(plan: Plan, minute: WindowStatus, day: WindowStatus): RateLimitFields {
  const { requestsPerMinute, requestsPerDay } = plan;
  if (requestsPerMinute === 0 && requestsPerDay === 0) return none;
  const ofMinute = requestsPerMinute === 0 ? '' : `"minute";r=${minute.left};t=${minute.secondsLeft}`;
  const ofDay = requestsPerDay === 0 ? '' : `"day";r=${day.left};t=${day.secondsLeft}`;
  return { 'ratelimit-policy': policyOf(plan), ratelimit: joined(ofMinute, ofDay) };
}

function policyOf(plan: Plan): string {
  const known = policies.get(plan);
  if (known !== undefined) return known;
  const { requestsPerMinute, requestsPerDay } = plan;
  const policy = joined(
    requestsPerMinute === 0 ? '' : `"minute";q=${requestsPerMinute};w=${minuteSeconds}`,
    requestsPerDay === 0 ? '' : `"day";q=${requestsPerDay};w=${daySeconds}`,
  );
  policies.set(plan, policy);
  return policy;
}

function joined(first: string, second: string): string {
  return first !== '' && second !== '' ? `${first}, ${second}` : first + second;
}
