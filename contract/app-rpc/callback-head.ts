// The head of a callback, request line and headers, as bytes. Without zod, so that the receiver's thread loads less.
/** Exact heads are kept within these limits. */
export const headLimits = {
  connections: 4,
  bytes: 16 * 1024,
};
