// The status words and icon names of the interface (docs/interface.md §2.4) and of the old service's clients
// (shared/fixtures/tables/status-vocabulary.json). The status is the same by day and by night; the icon follows the
// sun. No zod in here: the screens import these words, and zod would make up a fifth of what they load.

type StatusRow = {
  status: string;
  iconDay: string;
  iconNight: string;
  /** Whether the word alone means precipitation; a storm is wet only by amount, and unknown tells nothing. */
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

/** Names that clients of the old service also ask for; each has an image, none is ever sent. */
export const iconAliases = ['partly_cloudy', 'clear', 'heavy_seas', 'calm_seas'] as const;

/** Every icon name that `GET /v2/icons/<name>` serves (docs/interface.md §4.4). */
export const iconNames: readonly string[] = [
  ...new Set([...statusTable.flatMap((row) => [row.iconDay, row.iconNight]), ...iconAliases]),
];

const rowsByStatus: ReadonlyMap<string, StatusRow> = new Map(statusTable.map((row) => [row.status, row]));

/**
 * The icon for a status; the sun at or above the horizon's centre (altitude over 0 degrees) means day
 * (docs/interface.md §2.3).
 */
export function iconName(status: Status, sunAltitudeDegrees: number): string {
  const row = rowsByStatus.get(status);
  if (!row) return 'unknown';
  return sunAltitudeDegrees > 0 ? row.iconDay : row.iconNight;
}

/** Whether a status word, ours or a foreign service's, is one of the vocabulary. */
export function isKnownStatus(word: string): word is Status {
  return rowsByStatus.has(word);
}

/** What the word alone says about precipitation; null for an unknown word. */
export function statusPrecipitation(word: string): boolean | 'by amount' | null {
  return rowsByStatus.get(word)?.precipitation ?? null;
}

/** The words for a screen: a clear night is `sunny` on the wire, and nobody wants to read that at midnight. */
export function statusLabel(word: string, isDay: boolean | null): string {
  return word === 'sunny' && isDay === false ? 'clear' : word;
}
