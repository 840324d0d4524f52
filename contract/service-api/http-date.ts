// Dates in HTTP headers (RFC 9110 §5.6.7) and `Retry-After` (§10.2.3), which is seconds or such a date. Pure.
import { parseTimestamp } from '@rainbell/shared';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** `Sun, 06 Nov 1994 08:49:37 GMT`, and two obsolete forms that every recipient must read. */
const dateForms = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Returns epoch milliseconds, or undefined if the text is not a date in one of these formats. */
export function parseHttpDate(text: string | undefined): number | undefined {
  const parts = dateForms.map((form) => form.exec(text?.trim() ?? '')?.groups).find((found) => found !== undefined);
  if (!parts) return undefined;
  const { day = '', month = '', year = '', time } = parts;
  const century = year.length === 4 ? '' : year < '70' ? '20' : '19';
  const number = String(months.indexOf(month) + 1).padStart(2, '0');
  return parseTimestamp(`${century}${year}-${number}-${day.replace(' ', '0')}T${time}`);
}

export function formatHttpDate(instant: number): string {
  return new Date(instant).toUTCString();
}

/**
 * Returns how long to wait; undefined if the header is neither whole seconds nor a date. A date is relative to the response's own
 * `Date`, because the two clocks may differ, or to `now`, if given.
 */
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
