// Which tests import a file, directly or through others, the nearest first.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const importOf = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;
const ignored = ['**/node_modules/**', 'dist/**', '.types/**'];

/** Returns a function that finds at most so many tests of a file; paths are relative to the root, with slashes. */
export function relatedTests(root: string, most: number): (source: string) => string[] {
  const importers = new Map<string, string[]>();
  for (const file of globSync('**/*.{ts,tsx,mjs}', { cwd: root, exclude: ignored })) {
    const path = file.replaceAll('\\', '/');
    for (const [, target = ''] of readFileSync(join(root, path), 'utf8').matchAll(importOf)) {
      const imported = target.startsWith('#') ? target.slice(1) : posix.join(dirname(path), target);
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
    }
  }
  return (source) => {
    const found = new Set([source]);
    // A Set visits what is added to it meanwhile.
    for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
    return [...found].filter((file) => /\.test\.tsx?$/.test(file)).slice(0, most);
  };
}
