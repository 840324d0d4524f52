// The headless host returns memory when it is idle (scripts/idle-memory.mjs), and its start does not pay for it.
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { headlessFlags } from '#scripts/headless-node.mjs';

const module = new URL('../../scripts/idle-memory.mjs', import.meta.url).href;

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

it('collects what nothing refers to, and leaves the options as they were', () => {
  const script = `
    import { findCollector } from '${module}';
    const before = ${tag};
    const garbage = new WeakRef({});
    // A reference that was just made lives until its task ends.
    setTimeout(async () => {
      await findCollector()({ type: 'major', flavor: 'last-resort', execution: 'async' });
      console.log(JSON.stringify([garbage.deref() === undefined, ${tag} === before]));
    });
  `;
  expect(run([], script)).toEqual([true, true]);
});
