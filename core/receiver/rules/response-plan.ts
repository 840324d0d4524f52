// Which response a request gets (contract/app-rpc/rules.ts): the first rule that matches, and of its sequence the next step, unless
// the rule's limit is reached or the request fails by chance.
import { type Clock, pick } from '@rainbell/shared';
import {
  parseCallbackQuery,
  type ReceiverRules,
  type ResponseRule,
  type ResponseStep,
} from '@rainbell/contract/app-rpc';
import { fitsPath, pathOf } from '../requests/path-pattern.ts';
import { fitsRequest } from './request-match.ts';
import type { ReceivedCallback } from '../requests/received-callback.ts';
import { receivedResponse, type ResponsePlanned, sentenceResponse } from '../responses/response-outcome.ts';
import { fillIn, readRequest, type RuleRequest } from './rule-request.ts';

export type ResponsePlan = ReturnType<typeof createResponsePlan>;

type ResponsePlanDependencies = {
  clock: Pick<Clock, 'elapsed'>;
  /** From 0 up to 1, without 1. */
  random: () => number;
};

export function createResponsePlan({ pause, rules }: ReceiverRules, dependencies: ResponsePlanDependencies) {
  const active = rules.filter((rule) => rule.isOn).map((rule) => createRule(rule, dependencies));
  return {
    pause,
    /** Returns the response to a request, and takes a step; undefined if no rule matches. */
    take(request: ReceivedCallback): ResponsePlanned | undefined {
      if (active.length === 0) return undefined;
      const read = readRequest(request);
      const path = pathOf(request.target);
      return active.find((rule) => rule.matches(read, path))?.take(read);
    },
  };
}

function createRule(rule: ResponseRule, { clock, random }: ResponsePlanDependencies) {
  const { name, limit, failure, steps, afterLast } = rule;
  const { alternatives } = parseCallbackQuery(rule.condition);
  const waitFor = limit && createLimit(limit, clock);
  let taken = 0;
  return {
    matches: ({ subject }: RuleRequest, path: string): boolean =>
      (rule.method === null || rule.method === subject.method) &&
      fitsPath(rule.path, path) &&
      alternatives.some((terms) => terms.every(({ isNot, condition }) => fitsRequest(condition, subject) !== isNot)),
    take(request: RuleRequest): ResponsePlanned {
      const seconds = waitFor?.() ?? 0;
      if (seconds > 0)
        return { ...receivedResponse, status: 429, headers: [['retry-after', String(seconds)]], rule: name };
      if (failure && random() * 100 < failure.percent) return { ...responseOf(failure.step, request), rule: name };
      const index = afterLast === 'again' ? taken % steps.length : Math.min(taken, steps.length - 1);
      taken += 1;
      const step = steps[index];
      return { ...(step ? responseOf(step, request) : receivedResponse), rule: name, step: index + 1 };
    },
  };
}

function responseOf(step: ResponseStep, request: RuleRequest): ResponsePlanned {
  const { kind, delayMs } = step;
  if (kind === 'hold') {
    const sentence = `No one responded to this held request within ${delayMs / 1000} s.`;
    return { ...sentenceResponse(504, sentence), delayMs, isHeld: true };
  }
  if (kind !== 'answer') return { ...receivedResponse, action: kind, status: null, delayMs };
  const planned = { ...receivedResponse, ...pick(step, 'status', 'headers', 'body', 'delayMs') };
  return step.hasPlaceholders ? fillIn(planned, request) : planned;
}

/** Counts in windows of time; returns the seconds until the next one if this one is full, otherwise 0. */
function createLimit(
  { requests, seconds }: NonNullable<ResponseRule['limit']>,
  clock: Pick<Clock, 'elapsed'>,
): () => number {
  let startedAt = -Infinity;
  let count = 0;
  return () => {
    const now = clock.elapsed();
    if (now - startedAt >= seconds * 1000) {
      startedAt = now;
      count = 0;
    }
    count += 1;
    return count <= requests ? 0 : Math.max(1, Math.ceil((startedAt + seconds * 1000 - now) / 1000));
  };
}
