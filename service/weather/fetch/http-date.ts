// Dates in HTTP headers (RFC 9110 §5.6.7: `Tue, 15 Nov 1994 08:12:31 GMT`) and `Retry-After` (§10.2.3), which is seconds or
// such a date. Pure.
import { parseTimestamp } from '#contract/service-api/timestamp.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const dateForm = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/;

/** Returns epoch milliseconds, or undefined if the text is not a date in the one format that servers may send. */
export function parseHttpDate(text: string | undefined): number | undefined {
  const match = dateForm.exec(text ?? '');
  if (!match) return undefined;
  const [, day, month = '', year, time] = match;
  const number = months.indexOf(month) + 1;
  return parseTimestamp(`${year}-${String(number).padStart(2, '0')}-${day}T${time}`);
}

/** Returns how long to wait. A date is relative to the response's own `Date`, because the two clocks may differ. */
export function retryAfterSeconds(
  retryAfter: string | undefined,
  respondedAt: string | undefined,
  now: number,
): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const until = parseHttpDate(retryAfter);
  return until === undefined ? undefined : Math.max(0, (until - (parseHttpDate(respondedAt) ?? now)) / 1000);
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
