// A copy of the project in a temporary folder, in which the mutants are. The project itself is never changed.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

export type TreeCopy = { folder: string; remove: () => void };

const leftOut = new Set(['node_modules', '.git', '.types']);

export function copyTree(root: string): TreeCopy {
  const base = mkdtempSync(join(tmpdir(), 'rainbell-mutation-'));
  const folder = join(base, 'tree');
  cpSync(root, folder, { recursive: true, filter: (path) => !leftOut.has(relative(root, path)) });
  linkPackages(root, folder);
  writeFileSync(join(folder, 'mutation.config.ts'), config);
  return { folder, remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The npm packages are the project's, and its own packages the copy's. */
export function linkPackages(root: string, folder: string): void {
  const [there, here] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(here, '@rainbell'), { recursive: true });
  const names = readdirSync(there).filter((name) => name !== '@rainbell');
  for (const name of names) symlinkSync(join(there, name), join(here, name), 'junction');
  const own = existsSync(join(there, '@rainbell')) ? readdirSync(join(there, '@rainbell')) : [];
  for (const name of own) symlinkSync(join(folder, name), join(here, '@rainbell', name), 'junction');
}

/** Shorter limits than the project's: a mutant that hangs a test is noticed. */
const config = `import { defineConfig, mergeConfig } from 'vitest/config';
import project from './vitest.config.ts';

export default mergeConfig(
  project,
  defineConfig({
    test: {
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 8_000 } },
      teardownTimeout: 5_000,
    },
  }),
);
`;
