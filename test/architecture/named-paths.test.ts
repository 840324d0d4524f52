// Contributors' documents name files; each of them exists.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { layers } from './layers.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const folders = [...Object.keys(layers), 'test', 'scripts', 'docs'];
const path = new RegExp(`(?<![\\w./-])(?:${folders.join('|')})/[\\w./-]*\\w`, 'g');

describe.each(['docs/architecture.md', 'CONTRIBUTING.md'])('%s', (document) => {
  it('names only files and folders that exist', () => {
    const named = readFileSync(`${project}${document}`, 'utf8').match(path) ?? [];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !existsSync(`${project}${name}`))).toEqual([]);
  });
});

describe('docs/electron.md', () => {
  it('names for each behavior of Electron a test that exists', () => {
    const rows = readFileSync(`${project}docs/electron.md`, 'utf8')
      .split('\n| Electron | The app | Test')
      .slice(1)
      .flatMap((table) => table.split('\n\n')[0]?.split('\n').slice(2) ?? []);
    const missing = rows.flatMap((row) => {
      const tests = [...(row.split(' | ').at(-2) ?? '').matchAll(/`([\w-]+)`: (.+?)(?:<br>|$)/g)];
      if (tests.length === 0) return [row];
      const isMissing = ([, file = '', title = '']: readonly string[]) =>
        !readFileSync(`${project}test/electron/${file}.test.ts`, 'utf8').includes(`'${title}'`);
      return tests.filter(isMissing).map(([text]) => text);
    });
    expect(rows.length).toBeGreaterThan(35);
    expect(missing).toEqual([]);
  });
});
