/** Which precipitation causes an event. Passed in wherever it matters, so that monitors can have policies of their own. */
export type SweepPolicy = Readonly<{
  /** Maximum distance between precipitation and a monitored place. */
  radiusKm: number;
  /** How far ahead forecast precipitation counts. */
  aheadMinutes: number;
  /** Precipitation must exceed this. */
  leastMmPerHour: number;
}>;

export const standardPolicy: SweepPolicy = {
  // About one cell of 0.1° (11 km): forecasts misplace showers by as much.
  radiusKm: 10,
  // The step of the finest forecasts, and enough time to act on an event.
  aheadMinutes: 15,
  // The least amount that providers report; below it are drizzle that no one notices and rounding.
  leastMmPerHour: 0.1,
};
