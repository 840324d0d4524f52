// Contributors' documents name files, and code names documents with their sections; each of them exists.
import { existsSync, globSync, readFileSync } from 'node:fs';
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

/** `docs/api/` is Electron’s. */
it('code names only documents and sections that exist', () => {
  const files = globSync(`{${folders.join(',')},deploy,.github}/**/*.{ts,tsx,mjs,cjs,yml,yaml}`, { cwd: project });
  const named = files.flatMap((file) =>
    [
      ...readFileSync(`${project}${file}`, 'utf8').matchAll(
        /(?<![\w/.])(docs\/(?!api\/)[\w/-]+\.md)(?: (?:§([\d.]*\d)|([ST]\d+)\b))?/g,
      ),
    ].map(([, document = '', number, rule]) => ({ file, document, section: number ?? rule })),
  );
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(({ document, section }) => {
    if (!existsSync(`${project}${document}`)) return true;
    const isRow = new RegExp(`^(?:#+ |\\| )${section?.replaceAll('.', '\\.')}\\b`, 'm');
    return section !== undefined && !isRow.test(readFileSync(`${project}${document}`, 'utf8'));
  });
  expect(missing).toEqual([]);
});

it('documents name only tests that exist', () => {
  const named = globSync('{docs/**/*,*}.md', { cwd: project }).flatMap(
    (file) => readFileSync(`${project}${file}`, 'utf8').match(/(?<=`)[a-z][\w/*.-]*\.test\.tsx?(?=`)/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => globSync(`{,test/**/}${name}`, { cwd: project }).length === 0)).toEqual([]);
});

it('no two sources have the same name except for the ending: the type check would leave out one of them', () => {
  const files = globSync(`{${folders.join(',')}}/**/*.{ts,tsx}`, { cwd: project });
  const named = Map.groupBy(files, (file) => file.replace(/\.tsx?$/, ''));
  expect([...named.values()].filter(({ length }) => length > 1)).toEqual([]);
});
