// How a response to a callback can end. Without zod, because the screens import these values.

/**
 * `answered`: the whole response went to the network. `closed`, `reset`: the sender ended the connection first. `aborted`: a rule
 * closed or reset the connection. `dropped`: the receiver ended the connection. `refused`: the request was refused before it was
 * read whole. `waiting`: the response is not finished. `unrecorded`: stored by an earlier version, imported, read from the feed,
 * or lost in a crash.
 */
export const outcomeKindNames = [
  'answered',
  'closed',
  'reset',
  'aborted',
  'dropped',
  'refused',
  'waiting',
  'unrecorded',
] as const;
export type OutcomeKind = (typeof outcomeKindNames)[number];
