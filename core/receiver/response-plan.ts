// Which answer a request gets (contract/app-rpc/rules.ts): the first rule that fits, and of its sequence the next
// step. Pure but for the place in each sequence.
import type { ReceiverRules, ResponseRule, ResponseStep } from '#contract/app-rpc/rules.ts';
import { fitsPath, pathOf } from './path-pattern.ts';

export type ResponsePlan = {
  readonly pause: ReceiverRules['pause'];
  /** The step for a request, taking it; undefined where no rule fits. */
  take: (method: string, target: string) => ResponseStep | undefined;
};

export function createResponsePlan({ pause, rules }: ReceiverRules): ResponsePlan {
  const active = rules.filter((rule) => rule.isOn).map((rule) => ({ rule, taken: 0 }));
  return {
    pause,
    take(method, target) {
      if (active.length === 0) return undefined;
      const path = pathOf(target);
      const entry = active.find(({ rule }) => fits(rule, method, path));
      if (!entry) return undefined;
      const { steps, afterLast } = entry.rule;
      const index = afterLast === 'again' ? entry.taken % steps.length : Math.min(entry.taken, steps.length - 1);
      entry.taken += 1;
      return steps[index];
    },
  };
}

function fits(rule: ResponseRule, method: string, path: string): boolean {
  return (rule.method === null || rule.method === method) && fitsPath(rule.path, path);
}
