// The verdict on a callback, as one name. Without zod, because the screens import these values.

/**
 * For a monitor's event: `verified`, as the interface defines it; `too-soon`, `out-of-order`: breaks the cool-down rule; `invalid`: a wrong
 * signature, or not a Monitor object; `signed`: not all of it could be checked; `unsigned`: nothing proves it. For any other request: `verified` by its
 * sender's scheme; `signed`, but not checked; `unknown-secret`: no secret of its path verifies it; `invalid`: malformed or late; `unsigned`,
 * though its path has a secret; `handshake`: its sender checks the receiver; `request`: nothing more is known. `refused`: never became a request.
 * `unknown`: the data for the check is missing.
 */
export const verdictNames = [
  'verified',
  'too-soon',
  'out-of-order',
  'invalid',
  'unknown-secret',
  'unsigned',
  'signed',
  'handshake',
  'request',
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
  'unknown-secret': 'Unknown secret',
  unsigned: 'Unsigned',
  signed: 'Signed (not checked)',
  handshake: 'Handshake',
  request: 'Request',
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
