// File formats of callbacks. Without zod: the screens import these values, and zod would make up a fifth of what they load.
export const exportFormats = ['json', 'ndjson', 'csv', 'har'] as const;
export type ExportFormat = (typeof exportFormats)[number];
/** CSV is for spreadsheets and loses data, so it can't be imported. HTML is one callback, exported as a page. */
export const importFormats = ['json', 'ndjson', 'har', 'html'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** The longest part of a file that one import call accepts, in UTF-16 units. */
export const importPieceLength = 512 * 1024;
