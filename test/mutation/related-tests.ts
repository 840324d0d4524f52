// Which tests import a file, directly or through others, the nearest first.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const importOf = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;
const ignored = ['**/node_modules/**', 'dist/**', '.types/**'];

/** What a file imports itself; paths are relative to the root, with slashes. */
export function importsOf(root: string, path: string): string[] {
  const targets = [...readFileSync(join(root, path), 'utf8').matchAll(importOf)];
  return targets.flatMap(([, target = '']) => resolve(path, target) ?? []);
}

export function relatedTests(root: string, sources: readonly string[]): string[] {
  const importers = new Map<string, string[]>();
  for (const file of globSync('**/*.{ts,tsx,mjs}', { cwd: root, exclude: ignored })) {
    const path = file.replaceAll('\\', '/');
    for (const imported of importsOf(root, path)) {
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
    }
  }
  const distances = new Map(sources.map((source) => [source, 0]));
  // A Map visits what is added to it meanwhile.
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return [...distances.keys()].filter((file) => file.endsWith('.test.ts'));
}

function resolve(importer: string, target: string): string | undefined {
  if (target.startsWith('#')) return target.slice(1);
  return target.startsWith('.') ? posix.join(dirname(importer), target) : undefined;
}
