// Which answer a request gets (contract/app-rpc/rules.ts): the first rule that fits, and of its sequence the next
// step. Pure but for the place in each sequence.
import type { ReceiverRules, ResponseRule } from '#contract/app-rpc/rules.ts';
import { fitsPath, pathOf } from './path-pattern.ts';
import { responseOfStep } from './receiver-answers.ts';
import type { ResponsePlanned } from './response-outcome.ts';

export type ResponsePlan = {
  readonly pause: ReceiverRules['pause'];
  /** The response to a request, taking a step; undefined where no rule fits. */
  take: (method: string, target: string) => ResponsePlanned | undefined;
};

export function createResponsePlan({ pause, rules }: ReceiverRules): ResponsePlan {
  const active = rules
    .filter((rule) => rule.isOn)
    .map((rule) => ({
      rule,
      responses: rule.steps.map((step, index) => responseOfStep(step, rule.name, index + 1)),
      taken: 0,
    }));
  return {
    pause,
    take(method, target) {
      if (active.length === 0) return undefined;
      const path = pathOf(target);
      const entry = active.find(({ rule }) => fits(rule, method, path));
      if (!entry) return undefined;
      const { responses, rule } = entry;
      const last = responses.length - 1;
      const index = rule.afterLast === 'again' ? entry.taken % responses.length : Math.min(entry.taken, last);
      entry.taken += 1;
      return responses[index];
    },
  };
}

function fits(rule: ResponseRule, method: string, path: string): boolean {
  return (rule.method === null || rule.method === method) && fitsPath(rule.path, path);
}
