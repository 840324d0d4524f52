// The status words and icon names of the interface (docs/interface.md §2.4) and of the old service's clients
// (shared/fixtures/tables/status-vocabulary.json). The status is the same by day and by night; the icon follows the sun. Without
// zod: the screens import these values, and zod would make up a fifth of what they load.

type StatusRow = {
  status: string;
  iconDay: string;
  iconNight: string;
  /** Whether the status always means precipitation; a storm is wet only by amount, and null is unknown. */
  precipitation: boolean | 'by amount' | null;
};

export const statusTable = [
  { status: 'sunny', iconDay: 'sunny', iconNight: 'clear_moon', precipitation: false },
  { status: 'partly cloudy', iconDay: 'partly_sunny', iconNight: 'partly_moon', precipitation: false },
  { status: 'cloudy', iconDay: 'cloudy', iconNight: 'cloudy', precipitation: false },
  { status: 'foggy', iconDay: 'foggy', iconNight: 'foggy', precipitation: false },
  { status: 'windy', iconDay: 'windy', iconNight: 'windy', precipitation: false },
  { status: 'rainy', iconDay: 'rainy', iconNight: 'rainy', precipitation: true },
  { status: 'snow flurries', iconDay: 'snow_flurries', iconNight: 'snow_flurries', precipitation: true },
  { status: 'snowy', iconDay: 'snowy', iconNight: 'snowy', precipitation: true },
  { status: 'hailing', iconDay: 'hailing', iconNight: 'hailing', precipitation: true },
  { status: 'stormy', iconDay: 'stormy', iconNight: 'stormy', precipitation: 'by amount' },
  { status: 'unknown', iconDay: 'unknown', iconNight: 'unknown', precipitation: null },
] as const satisfies readonly StatusRow[];

export type Status = (typeof statusTable)[number]['status'];
export const statuses: readonly Status[] = statusTable.map((row) => row.status);

/** Names that clients of the old service also request; each has an image, none is ever sent. */
export const iconAliases = ['partly_cloudy', 'clear', 'heavy_seas', 'calm_seas'] as const;

/** Every icon name that `GET /v2/icons/<name>` serves (docs/interface.md §4.4). */
export const iconNames: readonly string[] = [
  ...new Set([...statusTable.flatMap((row) => [row.iconDay, row.iconNight]), ...iconAliases]),
];

const rowsByStatus: ReadonlyMap<string, StatusRow> = new Map(statusTable.map((row) => [row.status, row]));

/** Returns the icon of a status: the day's if the sun's center is above the horizon (docs/interface.md §2.3), otherwise the night's. */
export function iconName(status: Status, sunAltitudeDegrees: number): string {
  const row = rowsByStatus.get(status);
  if (!row) return 'unknown';
  return sunAltitudeDegrees > 0 ? row.iconDay : row.iconNight;
}

/** Whether a status, of any service, is in the vocabulary. */
export function isKnownStatus(word: string): word is Status {
  return rowsByStatus.has(word);
}

/** Returns whether the status means precipitation; null for an unknown status. */
export function statusPrecipitation(word: string): boolean | 'by amount' | null {
  return rowsByStatus.get(word)?.precipitation ?? null;
}

/** Returns the label for a screen: a clear night is `sunny` in the API, which reads wrong at midnight. */
export function statusLabel(word: string, isDay: boolean | null): string {
  return word === 'sunny' && isDay === false ? 'clear' : word;
}
