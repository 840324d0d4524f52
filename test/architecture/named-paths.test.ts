// Contributors' documents name files; each of them exists.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));
const { workspaces } = JSON.parse(readFileSync(`${project}package.json`, 'utf8')) as { workspaces: string[] };
const folders = [...workspaces, 'test', 'scripts', 'docs'];
const path = new RegExp(`(?<![\\w./-])(?:${folders.join('|')})/[\\w./-]*\\w`, 'g');

describe.each(['docs/architecture.md', 'CONTRIBUTING.md'])('%s', (document) => {
  it('names only files and folders that exist', () => {
    const named = readFileSync(`${project}${document}`, 'utf8').match(path) ?? [];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !existsSync(`${project}${name}`))).toEqual([]);
  });
});
