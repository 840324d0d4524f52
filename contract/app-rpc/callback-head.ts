// The head of a callback: request line and headers as bytes.
import { z } from 'zod';

export const callbackHeadSchema = z.object({
  base64: z.string(),
  /** Whether these are the bytes received. Otherwise they are written from the parsed headers. */
  isExact: z.boolean(),
});

/** Exact heads are kept within these limits. */
export const headLimits = {
  /** First requests of each second. */
  perSecond: 50,
  /** Concurrent connections. */
  connections: 4,
  bytes: 16 * 1024,
};
