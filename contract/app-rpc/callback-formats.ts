// The forms of a file of callbacks. No zod in here: the screens import these words, and zod would make up a fifth of what
// they load.
export const exportFormats = ['json', 'ndjson', 'csv', 'har'] as const;
export type ExportFormat = (typeof exportFormats)[number];
/** CSV is for spreadsheets and loses what they do not have, so it is not read back. */
export const importFormats = ['json', 'ndjson', 'har'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** The longest piece of a file that one import call takes, in UTF-16 units. */
export const importPieceLength = 512 * 1024;
