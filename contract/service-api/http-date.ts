// Dates in HTTP headers (RFC 9110 §5.6.7) and `Retry-After` (§10.2.3), which is seconds or such a date. Pure.

/** `Sun, 06 Nov 1994 08:49:37 GMT`. Two obsolete forms, which no server has sent for decades, are not read. */
const dateForm = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Returns epoch milliseconds, or undefined if the text is not a date. */
export function parseHttpDate(text = ''): number | undefined {
  const instant = dateForm.test(text.trim()) ? Date.parse(text) : NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

export function formatHttpDate(instant: number): string {
  return new Date(instant).toUTCString();
}

/** Returns undefined for any other text. A date counts from the response's own `Date`, because the clocks may differ, or from `now`. */
export function retryAfterSeconds(
  retryAfter: string | undefined,
  respondedAt: string | undefined,
  now?: number,
): number | undefined {
  const text = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const [until, from] = [parseHttpDate(text), parseHttpDate(respondedAt) ?? now];
  return until === undefined || from === undefined ? undefined : Math.max(0, Math.ceil((until - from) / 1000));
}

/** Returns how long a response is valid (`Expires`), in milliseconds; undefined if it does not say. */
export function lifetimeMs(
  expires: string | undefined,
  respondedAt: string | undefined,
  now: number,
): number | undefined {
  const until = parseHttpDate(expires);
  return until === undefined ? undefined : Math.max(0, until - (parseHttpDate(respondedAt) ?? now));
}
