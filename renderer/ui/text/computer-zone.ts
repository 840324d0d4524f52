// The computer's time zone, which changes while the app is open if the computer travels, and its locale. Browsers also report values
// that `Intl` itself rejects: `Etc/Unknown` for a time zone they don't know, and POSIX locales such as `en-US@posix`.
const cacheMs = 1_000;

let cached: { zone: string; at: number } | undefined;

/** Returns the IANA name. The zone is read at most once a second, because that takes 0.1 ms and every row of a table needs it. */
export function computerZone(): string {
  const at = performance.now();
  if (cached === undefined || Math.abs(at - cached.at) > cacheMs) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    cached = { zone: isAccepted(() => new Date(0).toLocaleString('en', { timeZone: zone })) ? zone : 'UTC', at };
  }
  return cached.zone;
}

/** Returns a locale such as `de-CH`. */
export function computerLocale(): string {
  const locale = navigator.language;
  return isAccepted(() => new Intl.Locale(locale)) ? locale : 'en-US';
}

function isAccepted(construct: () => unknown): boolean {
  try {
    construct();
    return true;
  } catch {
    return false;
  }
}
