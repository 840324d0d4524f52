// Whether a bundle is exactly as new as the files from which it was made: each has the time and size that it had then. It reads
// no file but the manifest, because it runs before each start. For an `import`, Node would read all exports of its own modules.
const { readFileSync, statSync } = process.getBuiltinModule('node:fs');
const { join, relative } = process.getBuiltinModule('node:path');

/** A file's time of change in milliseconds, and its size. @typedef {readonly [number, number]} Stamp */

/**
 * Returns the name of an entry's bundle and manifest: `service_main` for `service/main.ts`.
 * @param {string} entry
 */
export function bundleName(entry) {
  return entry.replaceAll(/[\\/-]/g, '_').replace(/\.ts$/, '');
}

/** @param {ReadonlyMap<string, Stamp>} files below the project's folder */
export function manifestOf(files) {
  return JSON.stringify([...files].map(([path, [mtimeMs, size]]) => [path, mtimeMs, size]));
}

/**
 * Returns the bundle to run instead of an entry; undefined if there is none, or if its sources are newer.
 * @param {{ project: string, bundles: string, entry: string }} wanted
 * @returns {string | undefined}
 */
export function freshBundle({ project, bundles, entry }) {
  try {
    const bundle = join(bundles, bundleName(relative(project, entry)));
    /** @type {[string, number, number][]} */
    const files = JSON.parse(readFileSync(`${bundle}.json`, 'utf8'));
    const isAsNew = files.every(([path, mtimeMs, size]) => {
      const now = statSync(`${project}${path}`, { throwIfNoEntry: false });
      return now?.mtimeMs === mtimeMs && now.size === size;
    });
    return isAsNew ? `${bundle}.cjs` : undefined;
  } catch {
    return undefined;
  }
}
