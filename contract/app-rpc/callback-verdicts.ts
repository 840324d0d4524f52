// The verdict on a callback, as one name. Without zod, because the screens import these values.

/**
 * `verified`: an event as the interface defines it. `too-soon`, `out-of-order`: an event that breaks the cool-down rule. `invalid`:
 * a wrong signature, or not a Monitor object. `unsigned`: names a monitor of a service that signs, but has no signature.
 * `refused`: never became a request. `unknown`: the data for the check is missing. `not-an-event`: any other request, such as a
 * test, an import, or a replay.
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

/** As people read them. */
export const verdictLabels: Readonly<Record<VerdictName, string>> = {
  verified: 'Verified',
  'too-soon': 'Too soon',
  'out-of-order': 'Out of order',
  invalid: 'Invalid',
  unsigned: 'Unsigned',
  'not-an-event': 'Not an event',
  refused: 'Refused',
  unknown: 'Not checked yet',
};

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
