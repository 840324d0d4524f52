// The import rules hold in every file of the project; and the checker is able to say no.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { brokenRules } from './import-rules.ts';
import { layers } from './layers.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const folders = [...Object.keys(layers), 'test', 'scripts'];

function sourcesOf(folder: string): string[] {
  return readdirSync(`${project}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !/\.d\.ts$|^test\/fixtures\//.test(path));
}

describe('the import rules', () => {
  it.each(folders)('hold in every file of %s', (folder) => {
    const sources = sourcesOf(folder);
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.flatMap((path) => brokenRules(path, readFileSync(`${project}${path}`, 'utf8')))).toEqual([]);
  });

  it.each([
    ['core/a.ts', "import { x } from '#service/x.ts';", 'core may import'],
    ['service/a.ts', "import type { X } from '#core/x.ts';", 'service may import'],
    ['renderer/a.ts', "import { x } from '#core/x.ts';", 'renderer may import'],
    ['contract/a.ts', "import { x } from '#core/x.ts';", 'contract may import'],
    ['core/a.ts', "const x = await import('#electron/x.ts');", 'core may import'],
    ['core/a.ts', "import { x } from '../service/x.ts';", 'leaves its folder'],
    ['core/a/b/c.ts', "import { x } from '../../x.ts';", 'write it as #folder'],
    ['core/a.ts', "import { x } from './x';", 'without its extension'],
    ['core/a.ts', "import { app } from 'electron';", 'not at home'],
    ['headless/a.ts', "import Store from 'electron-store';", 'not at home'],
    ['test/core/a.ts', "import { app } from 'electron';", 'tries to download'],
    ['service/database/a.ts', "import { x } from '#service/accounts/x.ts';", 'comes later in the order'],
    ['service/delivery/outbox/a.ts', "import type { X } from '../../watch/x.ts';", 'comes later in the order'],
    ['service/new-folder/a.ts', "import { x } from '#service/errors/x.ts';", 'no place in the order'],
    ['core/a.ts', "import { WebSocket } from 'ws';", 'not at home'],
    ['renderer/a.ts', "import { readFile } from 'node:fs/promises';", 'runs without Node'],
    ['contract/a.ts', "import 'node:fs';", 'runs without Node'],
    ['core/app/create-core.ts', "import { os } from '@orpc/server';", 'oRPC is seen by'],
    ['core/a.ts', "export { x } from './x.ts';", 'no barrels'],
    ['core/a.ts', "export * from './x.ts';", 'no barrels'],
    ['core/a.ts', 'export default 1;', 'default export'],
    ['core/a.ts', 'const a = 1; export { a as default };', 'default export'],
  ])('refuse in %s: %s', (path, text, words) => {
    expect(brokenRules(path, text).join('\n')).toContain(words);
  });

  it.each([
    ['core/a.ts', "import type { WebSocket } from 'ws'; import { z } from 'zod'; import { x } from '#contract/x.ts';"],
    ['core/app/rpc-router.ts', "import { os } from '@orpc/server';"],
    ['service/accounts/a.ts', "import type { X } from '#service/database/x.ts'; import { y } from './y.ts';"],
    ['electron/a.ts', "import { app } from 'electron'; import { x } from '#service/x.ts';"],
    ['test/electron/a.ts', "import type { App } from 'electron';"],
    ['a.config.ts', 'export default {};'],
  ])('allow in %s: %s', (path, text) => {
    expect(brokenRules(path, text)).toEqual([]);
  });
});
