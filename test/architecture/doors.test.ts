// A package uses another one through a door of it only (`exports` in its package.json).
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it, test } from 'vitest';
import { importsOf } from './imports-of.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
type Package = { name: string; exports?: Record<string, string> };
const readPackage = (folder: string) => JSON.parse(readFileSync(`${project}${folder}/package.json`, 'utf8')) as Package;
const { workspaces } = JSON.parse(readFileSync(`${project}package.json`, 'utf8')) as { workspaces: string[] };

/** Each names its features, one per line. */
const lists = ['contract/app-rpc/procedures.ts', 'core/app/features.ts', 'renderer/app/features.ts'];

describe.each(workspaces)('%s', (folder) => {
  const { name, exports = {} } = readPackage(folder);
  const files = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: project, exclude: ['**/node_modules/**', '**/*.d.ts'] });

  it('has at most six doors, and Node refuses what is behind them', () => {
    expect(Object.keys(exports).length).toBeLessThanOrEqual(6);
    const require = createRequire(`${project}headless/main.ts`);
    const hidden = files.filter((file) => !Object.values(exports).includes(`./${posix.relative(folder, file)}`));
    expect(hidden.length).toBeGreaterThan(0);
    for (const file of hidden.slice(0, 20)) {
      const past = `${name}/${posix.relative(folder, file)}`;
      expect(() => require.resolve(past)).toThrow(/is not defined by "exports"|No "exports" main/);
    }
  });

  it('leaves its folder by doors only, and passes nothing on but at a door', () => {
    expect(files.length).toBeGreaterThan(0);
    const doors = new Set([...Object.values(exports).map((path) => posix.join(folder, path)), ...lists]);
    const broken = files.flatMap((file) =>
      importsOf(file, readFileSync(project + file, 'utf8')).flatMap(({ source, isPassedOn }) => {
        const isInside = !source.startsWith('.') || posix.join(posix.dirname(file), source).startsWith(`${folder}/`);
        return isInside && !source.startsWith('#') && !(isPassedOn && !doors.has(file)) ? [] : [`${file}: ${source}`];
      }),
    );
    expect(broken).toEqual([]);
  });
});

test('a core feature makes nothing that another one holds, but gets it from core/app by name', () => {
  const isFeature = (folder: string | undefined) =>
    existsSync(`${project}core/${folder}/feature.ts`) && folder !== 'app';
  const files = globSync('core/*/**/*.ts', { cwd: project, exclude: ['**/node_modules/**', 'core/app/**'] });
  const broken = files.flatMap((file) =>
    parseSync(file, readFileSync(project + file, 'utf8')).module.staticImports.flatMap(({ moduleRequest, entries }) => {
      const target = posix.join(posix.dirname(file), moduleRequest.value);
      const [, from] = file.split('/');
      const [root, to] = target.split('/');
      if (root !== 'core' || to === from || !isFeature(to)) return [];
      const isMade = entries.some(
        ({ isType, importName }) => !isType && /^(create|open)[A-Z]/.test(importName.name ?? ''),
      );
      return isMade || target.endsWith('/feature.ts') ? [`${file}: ${target}`] : [];
    }),
  );
  expect(broken).toEqual([]);
});
