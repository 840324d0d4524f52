// What the window loads before its first screen: nothing there may bring zod along, which is a fifth of all its code.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** Imports of values, without types and what is loaded later. */
const statement = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'/gm;

function valueImports(file: string): string[] {
  const text = readFileSync(join(project, file), 'utf8');
  return [...text.matchAll(statement)].flatMap(([whole, from = '']) => {
    const names = /\{([^}]*)\}/.exec(whole)?.[1];
    const isTypesOnly = names !== undefined && names.split(',').every((name) => /^\s*(type\s|$)/.test(name));
    return isTypesOnly && names.trim() !== '' ? [] : [from];
  });
}

/** The way from the window's entry to a package, file by file, or undefined if there is none. */
function wayTo(wanted: string, file: string, seen = new Set<string>()): string[] | undefined {
  if (seen.has(file) || !existsSync(join(project, file))) return undefined;
  seen.add(file);
  for (const from of valueImports(file)) {
    if (from === wanted) return [file];
    const next = from.startsWith('#') ? from.slice(1) : from.startsWith('.') ? join(dirname(file), from) : undefined;
    const rest = next?.match(/\.tsx?$/) ? wayTo(wanted, next, seen) : undefined;
    if (rest) return [file, ...rest];
  }
  return undefined;
}

it('the first screen does not load zod', () => {
  for (const entry of ['renderer/main.tsx', 'renderer/features/forecast/ForecastScreen.tsx']) {
    expect(wayTo('zod', entry)).toBeUndefined();
  }
});

it('finds an import path if one exists', () => {
  expect(wayTo('zod', 'contract/app-rpc/contract.ts')).toBeDefined();
  expect(wayTo('zustand', 'renderer/main.tsx') ?? wayTo('zustand/vanilla', 'renderer/main.tsx')).toBeDefined();
});
