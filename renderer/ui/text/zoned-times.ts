// Formats times in one zone, and finds that zone's days. Days start at the zone's own midnight, also on the days when its clocks
// change (23 or 25 hours) and if midnight itself is skipped.
import { hourMs, minuteMs } from '@rainbell/shared';

export type HourCycle = 'h12' | 'h23';

export type ZonedTimes = ReturnType<typeof zonedTimes>;

export function zonedTimes(zone: string, hourCycle: HourCycle = 'h23') {
  // A format takes some 0.1 ms to create, and most are never used.
  const format = (options: Intl.DateTimeFormatOptions, language = 'en-GB') => {
    let made: Intl.DateTimeFormat | undefined;
    return () => (made ??= new Intl.DateTimeFormat(language, { timeZone: zone, hourCycle: 'h23', ...options }));
  };
  const is12 = hourCycle === 'h12';
  const time = (options: Intl.DateTimeFormatOptions) =>
    is12 ? format({ ...options, hour: 'numeric', hourCycle: 'h12' }, 'en-US') : format({ ...options, hour: '2-digit' });
  const clock = time({ minute: '2-digit' });
  const clockSeconds = time({ minute: '2-digit', second: '2-digit' });
  const clockMilliseconds = time({ minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });
  const axisHour = time({});
  const wallClock = is12 ? format({ hour: '2-digit', minute: '2-digit' }) : clock;
  const minuteOfDay = (at: number) => {
    const text = wallClock().format(at);
    return Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
  };
  // Engines put a space or a narrow no-break space before AM and PM; a line must not break there.
  const write = (made: () => Intl.DateTimeFormat) => (at: number) =>
    made()
      .format(at)
      .replace(/[ \u202F](?=[AP]M$)/, '\u00A0');
  const weekday = format({ weekday: 'short' });
  const longWeekday = format({ weekday: 'long' });
  const dayOfMonth = format({ day: 'numeric', month: 'short' });
  const key = format({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA');
  const offset = format({ timeZoneName: 'shortOffset' });
  // Each language of English abbreviates only its own zones.
  const abbreviations = ['en-GB', 'en-US', 'en-AU', 'en-CA', 'en-IN', 'en-ZA'].map((language) =>
    format({ timeZoneName: 'short' }, language),
  );
  const zonePart = (made: () => Intl.DateTimeFormat, at: number) =>
    made()
      .formatToParts(at)
      .find((part) => part.type === 'timeZoneName')?.value ?? zone;
  const utcOffset = (at: number) => zonePart(offset, at).replace('GMT', 'UTC').replace('-', '−');
  const isOffset = (name: string) => /^(?:GMT|UTC)[+−-]/.test(name);
  const day = (at: number) => `${weekday().format(at)} ${dayOfMonth().format(at)}`;
  return {
    zone,
    hourCycle,
    /** `14:20`, or `2:20 PM` with a 12-hour clock, as all that follow. */
    clock: write(clock),
    /** `14:20:59` */
    clockSeconds: write(clockSeconds),
    /** `14:20:59.123` */
    clockMilliseconds: write(clockMilliseconds),
    /** `14`, or `2 PM`, for an axis. */
    axisHour: write(axisHour),
    /** `Sat 14:20` */
    weekdayClock: (at: number) => `${weekday().format(at)} ${write(clock)(at)}`,
    /** `Sat 21 Nov` */
    day,
    /** `Saturday 21 Nov` */
    longDay: (at: number) => `${longWeekday().format(at)} ${dayOfMonth().format(at)}`,
    /** `Sat 21 Nov, 14:20` */
    dayClock: (at: number) => `${day(at)}, ${write(clock)(at)}`,
    /** `2026-11-21`, for comparing days. */
    dayKey: (at: number) => key().format(at),
    /** `CET`, or `UTC+5:45` for a zone without a usual abbreviation. */
    zoneName(at: number): string {
      for (const made of abbreviations) {
        const name = zonePart(made, at);
        if (!isOffset(name)) return name;
      }
      return utcOffset(at);
    },
    /** `UTC+1` */
    utcOffset,
    /** Hour of the day, 0 to 23. */
    hour: (at: number) => Math.floor(minuteOfDay(at) / 60),
    /** Minutes since midnight by the clock on the wall, 0 to 1439. */
    minuteOfDay,
  };
}

/** A day of the zone that starts within a span; `hours` differs from 24 if the clocks change on it. */
export type ZoneDay = { startsAt: number; hours: number };

/** The midnights (the first minutes of a day) of the zone after `from` and up to `to`. */
export function midnights(times: ZonedTimes, from: number, to: number): readonly ZoneDay[] {
  const days: ZoneDay[] = [];
  let at = nextMidnight(times, from);
  while (at <= to) {
    const next = nextMidnight(times, at);
    days.push({ startsAt: at, hours: (next - at) / hourMs });
    at = next;
  }
  return days;
}

/** Returns the next time at which the zone's date changes, to the minute. */
function nextMidnight(times: ZonedTimes, after: number): number {
  const today = times.dayKey(after);
  let low = Math.floor(after / minuteMs);
  let high = low + 60;
  while (times.dayKey(high * minuteMs) === today) {
    low = high;
    high += 60;
  }
  return firstChange(low, high, (at) => times.dayKey(at) === today);
}

/** Returns the first time, between two minutes, at which `isAsBefore` is false. */
function firstChange(low: number, high: number, isAsBefore: (at: number) => boolean): number {
  if (high - low <= 1) return high * minuteMs;
  const middle = Math.floor((low + high) / 2);
  return isAsBefore(middle * minuteMs) ? firstChange(middle, high, isAsBefore) : firstChange(low, middle, isAsBefore);
}

/** Returns the times within a span whose hour of the day is a multiple of `every`, for an axis. */
export function hourTicks(times: ZonedTimes, from: number, to: number, every: number): readonly number[] {
  const ticks: number[] = [];
  const quarter = 15 * minuteMs;
  let last = -1;
  for (let at = Math.ceil(from / quarter) * quarter; at <= to; at += quarter) {
    const hour = times.hour(at);
    if (hour !== last && hour % every === 0 && times.minuteOfDay(at) % 60 === 0) ticks.push(at);
    last = hour;
  }
  return ticks;
}

/** A change of the zone's clocks: `before` and `after` are the names on both sides, `shiftMs` is negative if clocks go back. */
export type ClockChange = { at: number; before: string; after: string; shiftMs: number };

/** The changes of the zone's clocks after `from` and up to `to`, to the minute. */
export function clockChanges(times: ZonedTimes, from: number, to: number): readonly ClockChange[] {
  const changes: ClockChange[] = [];
  for (let hour = from; hour < to; hour += hourMs) {
    const [before, after] = [times.utcOffset(hour), times.utcOffset(Math.min(to, hour + hourMs))];
    if (before === after) continue;
    const [low, high] = [Math.floor(hour / minuteMs), Math.ceil((hour + hourMs) / minuteMs)];
    const at = firstChange(low, high, (minute) => times.utcOffset(minute) === before);
    const wallBefore = times.minuteOfDay(at - minuteMs) + 1;
    // Half a day either way at most, also over midnight.
    const shift = ((times.minuteOfDay(at) - wallBefore + 36 * 60) % (24 * 60)) - 12 * 60;
    changes.push({
      at,
      before: times.zoneName(at - minuteMs),
      after: times.zoneName(at),
      shiftMs: shift * minuteMs,
    });
  }
  return changes;
}
