// Pricing plans (§8): how many monitors an application may have, and how often it may call. The interface names no
// numbers, so they are settings (account-settings.ts); 0 means "no limit".
export type Plan = {
  id: string;
  name: string;
  price: string;
  summary: string;
  /** Monitors per application. */
  monitors: number;
  requestsPerMinute: number;
  requestsPerDay: number;
  /** Offered on the website; the others only the operator gives. */
  isOffered: boolean;
};

/** What the sandbox and the operator's own applications stand on. */
export const inHousePlanId = 'in-house';
