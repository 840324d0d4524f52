// The headless host returns memory when it is idle (scripts/idle-memory.cjs), and its start does not pay for it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { headlessFlags } from '#scripts/headless-node.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));
const module = new URL('../../scripts/idle-memory.cjs', import.meta.url).href;

/** Code that V8 kept counts only under the tag under which it was kept, and Node's own modules come as such code. */
const tag = `process.getBuiltinModule('node:v8').cachedDataVersionTag()`;

function run(flags: readonly string[], script: string): unknown {
  const options = { encoding: 'utf8' } as const;
  return JSON.parse(execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', script], options));
}

it('starts with options under which V8 uses the code that comes with Node', () => {
  const print = `console.log(${tag})`;
  expect(run(headlessFlags, print)).toBe(run([], print));
});

it('starts from a folder with characters that mean something in a URL', () => {
  const folder = join(temporaryFolder(), 'r #1 100% 50%25 q?x Zürich');
  mkdirSync(folder);
  for (const name of ['headless-node.mjs', 'idle-memory.cjs']) copyFileSync(join(scripts, name), join(folder, name));
  const { href } = pathToFileURL(join(folder, 'headless-node.mjs'));
  const flags = run([], `console.log(JSON.stringify((await import('${href}')).headlessFlags))`) as string[];
  expect(run(flags, 'console.log(1)')).toBe(1);
});

it('collects what nothing refers to, and leaves the options as they were', () => {
  const script = `
    import idle from '${module}';
    const before = ${tag};
    const garbage = new WeakRef({});
    // A reference that was just made lives until its task ends.
    setTimeout(async () => {
      await idle.findCollector()({ type: 'major', flavor: 'last-resort', execution: 'async' });
      console.log(JSON.stringify([garbage.deref() === undefined, ${tag} === before]));
    });
  `;
  expect(run([], script)).toEqual([true, true]);
});
