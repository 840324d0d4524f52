// Whether a bundle is exactly as new as the files from which it was made: each has the time and size that it had then. It reads
// no file but the manifest, since it runs before each start.
import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A file's time of change in milliseconds, and its size. @typedef {readonly [number, number]} Stamp */

/**
 * @param {Record<string, string>} entries bundles by their sources
 * @param {ReadonlyMap<string, Stamp>} files below the project's folder
 */
export function manifestOf(entries, files) {
  return JSON.stringify({ entries, files: [...files].map(([path, [mtimeMs, size]]) => [path, mtimeMs, size]) });
}

/**
 * The bundle to run instead of an entry; undefined where there is none, or it is not as new as its sources.
 * @param {{ project: string, bundles: string, entry: string }} wanted
 * @returns {string | undefined}
 */
export function freshBundle({ project, bundles, entry }) {
  try {
    /** @type {{ entries: Record<string, string>, files: [string, number, number][] }} */
    const { entries, files } = JSON.parse(readFileSync(join(bundles, 'manifest.json'), 'utf8'));
    const bundle = entries[relative(project, entry).replaceAll('\\', '/')];
    const isAsNew = files.every(([path, mtimeMs, size]) => {
      const now = statSync(`${project}${path}`, { throwIfNoEntry: false });
      return now?.mtimeMs === mtimeMs && now.size === size;
    });
    return bundle !== undefined && isAsNew ? join(bundles, bundle) : undefined;
  } catch {
    return undefined;
  }
}
