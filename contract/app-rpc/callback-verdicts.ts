// The verdict on a callback, in one name. No zod in here, because the screens import these words.

/**
 * `verified`: an event, as the interface promises it. `too-soon`, `out-of-order`: an event that breaks the hour rule. `invalid`: a
 * wrong signature, or not a Monitor object. `unsigned`: names a monitor, but the service signs and this is not signed.
 * `not-an-event`: everything else, also tests, imports, and what Rainbell sent again. `refused`: never became a request.
 * `unknown`: what is needed to tell is not known yet.
 */
export const verdictNames = [
  'verified',
  'too-soon',
  'out-of-order',
  'invalid',
  'unsigned',
  'not-an-event',
  'refused',
  'unknown',
] as const;
export type VerdictName = (typeof verdictNames)[number];

/** How a list of callbacks can be sorted; the newest come first within equal ones. */
export const callbackOrders = [
  'newest',
  'oldest',
  'path',
  'monitor',
  'verdict',
  'answer',
  'largest',
  'smallest',
  'slowest',
  'fastest',
] as const;
export type CallbackOrder = (typeof callbackOrders)[number];
