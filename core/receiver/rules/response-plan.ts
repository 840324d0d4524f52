// Which response a request gets (contract/app-rpc/rules.ts): the first rule that matches, and of its sequence the next step, unless
// the rule's limit is reached or the request fails by chance.
import type { Clock } from '@rainbell/shared';
import {
  parseCallbackQuery,
  type ReceiverRules,
  type ResponseRule,
  type ResponseStep,
} from '@rainbell/contract/app-rpc';
import { fitsPath, pathOf } from '../requests/path-pattern.ts';
import { fitsRequest } from './request-match.ts';
import { receivedResponse, type ResponsePlanned, textHeaders } from '../responses/response-outcome.ts';
import { fillIn, readRequest, type ReceivedRequest, type RuleRequest } from './rule-request.ts';

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
    take(request: ReceivedRequest): ResponsePlanned | undefined {
      if (active.length === 0) return undefined;
      const read = readRequest(request);
      const path = pathOf(request.target);
      return active.find((rule) => rule.matches(read, path))?.take(read);
    },
  };
}

function createRule(rule: ResponseRule, { clock, random }: ResponsePlanDependencies) {
  const { name, limit, failure, afterLast } = rule;
  const { alternatives } = parseCallbackQuery(rule.condition);
  const steps = rule.steps.map((step, index) => planOf(step, responseOfStep(step, name, index + 1)));
  const failed = failure && planOf(failure.step, responseOfStep(failure.step, name, null));
  const waitFor = limit && createLimit(limit, clock);
  let taken = 0;
  return {
    matches: ({ subject }: RuleRequest, path: string): boolean =>
      (rule.method === null || rule.method === subject.method) &&
      fitsPath(rule.path, path) &&
      alternatives.some((terms) => terms.every(({ isNot, condition }) => fitsRequest(condition, subject) !== isNot)),
    take(request: RuleRequest): ResponsePlanned {
      const seconds = waitFor?.() ?? 0;
      if (seconds > 0) return tooManyResponse(name, seconds);
      if (failed && random() * 100 < failure.percent) return failed(request);
      const last = steps.length - 1;
      const index = afterLast === 'again' ? taken % steps.length : Math.min(taken, last);
      taken += 1;
      return steps[index]?.(request) ?? tooManyResponse(name, 1);
    },
  };
}

function responseOfStep(step: ResponseStep, rule: string, number: number | null): ResponsePlanned {
  const base = { delayMs: step.delayMs, rule, step: number };
  if (step.kind === 'hold') {
    const body = `No one responded to this held request within ${step.delayMs / 1000} s.\n`;
    return { ...base, action: 'answer', status: 504, headers: textHeaders, body, isHeld: true };
  }
  if (step.kind === 'answer')
    return { ...base, action: 'answer', status: step.status, headers: step.headers, body: step.body };
  return { ...base, action: step.kind, status: null, headers: [], body: '' };
}

function planOf(step: ResponseStep, planned: ResponsePlanned): (request: RuleRequest) => ResponsePlanned {
  return step.kind === 'answer' && step.hasPlaceholders ? (request) => fillIn(planned, request) : () => planned;
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

function tooManyResponse(rule: string, seconds: number): ResponsePlanned {
  return { ...receivedResponse, status: 429, headers: [['retry-after', String(seconds)]], rule };
}
