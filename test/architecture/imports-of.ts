import { parseSync } from 'vite';

/** What a file imports or passes on, and whether it passes it on. */
export function importsOf(file: string, text: string): { source: string; isPassedOn: boolean }[] {
  const { module } = parseSync(file, text);
  const passedOn = module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest ?? []));
  const dynamic = module.dynamicImports.flatMap(
    ({ moduleRequest: { start, end } }) => /^['"`]([^'"`$]+)['"`]$/.exec(text.slice(start, end))?.[1] ?? [],
  );
  return [
    ...module.staticImports.map(({ moduleRequest }) => ({ source: moduleRequest.value, isPassedOn: false })),
    ...dynamic.map((source) => ({ source, isPassedOn: false })),
    ...passedOn.map(({ value }) => ({ source: value, isPassedOn: true })),
  ];
}
