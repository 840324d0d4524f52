// Each command that a document shows in a code block is run by a test, or says why it can't be. Each `npm run` in the texts exists.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { allCommands } from '#shared/commands/all-commands.ts';

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: projectFolder }).map((file) => file.replaceAll('\\', '/')),
);
const read = (file: string) => readFileSync(`${projectFolder}${file}`, 'utf8');

/**
 * The start of a command, and the file that runs it with a text in that file as evidence; `unrun` with the reason if no test can.
 * `block`: the first line stands for its whole block, which the test reads from the page.
 */
type Entry = readonly [start: string, file: string, evidence: string, extent?: 'block'];

const entries: Readonly<Record<string, readonly Entry[]>> = {
  ...Object.fromEntries(
    globSync('docs/recipes/[a-z]*.md', { cwd: projectFolder }).map((file) => [
      file.replaceAll('\\', '/'),
      [['setup', 'test/service/website/recipes.test.ts', 'readCommand(block(']],
    ]),
  ),
  'README.md': [
    ['npm ci && npm start', 'test/scripts/first-start.test.ts', 'npm ci'],
    ['npm ci && npm test', '.ci/run', '\nnpm ci && npm test\n'],
  ],
  'CONTRIBUTING.md': [
    ['npm ci', 'test/scripts/first-start.test.ts', 'npm ci'],
    ['npm start', 'test/scripts/start.test.ts', 'scripts/start.mjs'],
  ],
  'docs/agents.md': [['printf', 'test/command-line/mcp.test.ts', 'docs/agents.md', 'block']],
  'docs/command-line.md': [
    ['npx rainbell login', 'test/command-line/login.test.ts', "'login'"],
    ['npx rainbell forecast', 'test/command-line/login.test.ts', "'forecast'"],
  ],
  'docs/command-line-scripts.md': [
    ['#!/bin/sh', 'test/packaging/command-line-package.test.ts', 'docs/command-line-scripts.md', 'block'],
  ],
  'docs/deploy.md': [['debootstrap', 'unrun', 'needs root, buildah, and Debian’s servers', 'block']],
  'docs/endpoint-check.md': [
    ['export RAINBELL_WEBHOOK_SECRET', 'test/command-line/check.test.ts', 'docs/endpoint-check.md', 'block'],
  ],
  'docs/feed.md': [
    ['rainbell listen --feed', 'test/command-line/feed.test.ts', "'--feed'"],
    ['BASE_URL=', 'test/service/monitors/feed/feed.test.ts', 'docs/feed.md'],
  ],
  'docs/home.md': [
    ['npm ci && npm run service -- --home', 'test/service/operator/operator-setup.test.ts', "'--home'"],
    ['npm run operator -- setup', 'test/service/operator/operator-setup.test.ts', 'setup --place'],
  ],
  'docs/operations.md': [
    ['npm run service -- migrate', 'test/service/database/migrations-apart.test.ts', "'migrate'"],
    ['npm run operator -- keys rotate', 'test/faults/deployment.test.ts', "commandsOf('Rotate the key'", 'block'],
    ['tar --create', 'test/faults/restore-drill.test.ts', "commandsOf('SQLite'", 'block'],
    ['rm -rf', 'test/faults/restore-drill.test.ts', "commandsOf('SQLite'", 'block'],
    ['rm -f', 'test/faults/restore-drill.test.ts', "commandsOf('Go back'", 'block'],
    ['pg_dump', 'test/faults/deployment.test.ts', "commandsOf('PostgreSQL'", 'block'],
    ['createdb', 'test/faults/deployment.test.ts', "commandsOf('PostgreSQL'", 'block'],
  ],
  'docs/packaging.md': [
    ['npm ci', 'test/scripts/first-start.test.ts', 'npm ci'],
    ['npm run package', '.github/workflows/desktop.yml', 'npm run package -- --', 'block'],
  ],
  'docs/receiver.md': [['curl -i', 'test/command-line/listen.test.ts', 'docs/receiver.md']],
  'docs/release.md': [
    ['node scripts/set-version.mjs', 'test/packaging/release-files.test.ts', 'scripts/set-version.mjs', 'block'],
  ],
  'docs/service.md': [['curl -u', 'test/service/website/client-examples.test.ts', 'docs/service.md', 'block']],
  'docs/signature-doctor.md': [
    ['RAINBELL_WEBHOOK_SECRET=', 'test/command-line/stored-commands.test.ts', "'signature'"],
  ],
};

/** The commands of each shell block of a page, one for each line that does not continue another. */
function blocksOf(file: string): string[][] {
  return [...read(file).matchAll(/^[ \t]*```sh\n([\s\S]*?)```/gm)].map(([, block = '']) =>
    block
      .replaceAll(/ *\\\n\s*/g, ' ')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^#[^!]/.test(line)),
  );
}

describe.each(documents.filter((file) => blocksOf(file).length > 0))('%s', (file) => {
  it('shows only commands that a test runs', () => {
    const used = new Set<Entry>();
    const missing = blocksOf(file).flatMap((lines) => {
      let isCovered = false;
      return lines.filter((line) => {
        const entry = entries[file]?.find(([start]) => line.startsWith(start));
        if (entry) used.add(entry);
        if (entry?.[3] === 'block') isCovered = true;
        return !entry && !isCovered;
      });
    });
    expect(missing).toEqual([]);
    expect(entries[file]?.filter((entry) => !used.has(entry))).toEqual([]);
    expect([...used].filter(([, by, evidence]) => by !== 'unrun' && !read(by).includes(evidence))).toEqual([]);
  });
});

it('names only npm scripts that exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = '']) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
});

it('has no page of more than 200 lines', () => {
  const lengths = documents.map((file) => ({ file, lines: read(file).trimEnd().split('\n').length }));
  expect(lengths.filter(({ lines }) => lines > 200)).toEqual([]);
});

it('names its readers at the top of each page in docs/', () => {
  const pages = documents.filter((file) => /^docs\/[^/]+$/.test(file));
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((file) => !/^# .+\n+For /.test(read(file)))).toEqual([]);
});

it('links only to files and sections that exist', () => {
  const broken = documents.flatMap((file) =>
    [
      ...read(file)
        .replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
        .matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
    ].flatMap(([, path = '', section]) => {
      const target = path === '' ? file : new URL(path, `file:///${file}`).pathname.slice(1);
      const isFolder = !/\.\w+$/.test(target);
      try {
        if (isFolder) return [];
        const ids = new Set([...read(target).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => idOf(title)));
        return section === undefined || ids.has(section) ? [] : [`${file}: ${path}#${section}`];
      } catch {
        return [`${file}: ${path}`];
      }
    }),
  );
  expect(broken).toEqual([]);
});

/** GitHub's rule. */
function idOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

it('names words in the guide that find a command in the palette', () => {
  const [, shown = ''] = /^- a command, such as (.*);$/m.exec(read('docs/user-guide.md')) ?? [];
  const words = [...shown.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
  const found = (word: string) =>
    Object.values(allCommands).some((command) => JSON.stringify(command).toLowerCase().includes(word));
  expect(words.length).toBeGreaterThan(1);
  expect(words.filter((word) => !found(word))).toEqual([]);
});
