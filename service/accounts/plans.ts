// Pricing plans (docs/interface.md §8): how many monitors an application may have, and how many requests it may send. The interface
// defines no numbers, so they are ours (settings.ts); 0 means "no limit".
import type { Config } from '../config/config.ts';

export type PlanId = 'drizzle' | 'shower' | 'storm' | 'in-house';

export type Plan = {
  id: PlanId;
  name: string;
  price: string;
  summary: string;
  monitors: number;
  requestsPerMinute: number;
  requestsPerDay: number;
  /** Offered on the website; only the operator assigns the others. */
  isOffered: boolean;
};

/** The plan of the sandbox and the operator's own applications. */
export const inHousePlanId = 'in-house' satisfies PlanId;

/** A service at home offers only the in-house plan. */
export function readPlans(config: Config): readonly Plan[] {
  const inHouseLimits = [config.monitorLimit, 0, 0] as const;
  const plans = [
    plan('drizzle', 'Drizzle', 'Free', 'For trying things out and for small tools.', config.planDrizzle),
    plan('shower', 'Shower', '€19 a month', 'For an app that people use every day.', config.planShower),
    plan('storm', 'Storm', '€149 a month', 'For services that watch whole regions.', config.planStorm),
    plan(inHousePlanId, 'In-house', 'Assigned by the operator', "For the operator's own applications.", inHouseLimits),
  ];
  return plans.map((one) => ({ ...one, isOffered: (one.id === inHousePlanId) === config.isHome }));
}

function plan(id: PlanId, name: string, price: string, summary: string, limits: Config['planDrizzle']) {
  const [monitors, requestsPerMinute, requestsPerDay] = limits;
  return { id, name, price, summary, monitors, requestsPerMinute, requestsPerDay };
}

export type MonitorOwner = { id: string; limit: number | undefined };

/** `limit` and `plan`: of an application; `account`: of all its account's applications together. */
export type MonitorLimit = { limit: number; plan: string | undefined; account?: MonitorOwner };

/** Returns the plan; an unknown stored name is the smallest plan. */
export function planOf(plans: readonly Plan[], id: string): Plan {
  const found = plans.find((candidate) => candidate.id === id) ?? plans[0];
  if (!found) throw new Error('No plans are defined.');
  return found;
}
