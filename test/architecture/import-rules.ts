// Reads what a source file imports and exports, and says which of the project's import rules it breaks. Pure: text in,
// sentences out.
import { posix } from 'node:path';
import { parseSync } from 'vite';
import { layers, orpcFiles, type Layer } from './layers.ts';

export type Import = { source: string; isTypeOnly: boolean; isReExport: boolean };

/** Every import of a file: static, re-exported, and dynamic with a literal. */
export function importsOf(path: string, text: string): { imports: Import[]; hasDefaultExport: boolean } {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const fixed = module.staticImports.map(({ moduleRequest, entries, start }) => ({
    source: moduleRequest.value,
    isTypeOnly: /^import\s+type\b/.test(text.slice(start)) || (entries.length > 0 && entries.every((e) => e.isType)),
    isReExport: false,
  }));
  const entries = module.staticExports.flatMap((statement) => statement.entries);
  const passedOn = entries.flatMap(({ moduleRequest, isType }) =>
    moduleRequest ? [{ source: moduleRequest.value, isTypeOnly: isType, isReExport: true }] : [],
  );
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const literal = /^['"`]([^'"`$]+)['"`]$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    return literal?.[1] === undefined ? [] : [{ source: literal[1], isTypeOnly: false, isReExport: false }];
  });
  return {
    imports: [...fixed, ...passedOn, ...dynamic],
    hasDefaultExport: entries.some(({ exportName }) => exportName.kind === 'Default' || exportName.name === 'default'),
  };
}

/** What a file breaks, one sentence each. `path` is relative to the project, with slashes. */
export function brokenRules(path: string, text: string): string[] {
  const folder = path.split('/')[0] ?? '';
  const layer = layers[folder];
  const { imports, hasDefaultExport } = importsOf(path, text);
  const broken = imports.flatMap((found) => [
    ...shapeProblems(found),
    ...(found.source.startsWith('#') || found.source.startsWith('.')
      ? folderProblems(path, folder, layer, found.source)
      : packageProblems(path, layer, found)),
  ]);
  // Vitest and Vite import these so.
  const mayExportDefault = /\.config\.ts$|-reporter\.mjs$/.test(path);
  return [...broken, ...(hasDefaultExport && !mayExportDefault ? ['has a default export'] : [])].map(
    (problem) => `${path} ${problem}`,
  );
}

function shapeProblems({ source, isReExport }: Import): string[] {
  const problems = isReExport ? [`passes on "${source}": import it where it is (no barrels)`] : [];
  if (source.startsWith('../../')) problems.push(`imports "${source}": write it as #folder/…`);
  const isOurs = source.startsWith('.') || source.startsWith('#');
  if (isOurs && !/\.(ts|tsx|mjs|cjs|css|svg|json)$/.test(source))
    problems.push(`imports "${source}" without its extension`);
  return problems;
}

function folderProblems(path: string, folder: string, layer: Layer | undefined, source: string): string[] {
  const target = source.startsWith('#') ? source.slice(1) : posix.join(posix.dirname(path), source);
  const targetFolder = target.split('/')[0] ?? '';
  if (source.startsWith('.') && targetFolder !== folder) return [`leaves its folder by "${source}": write it as #…`];
  if (layer && targetFolder === folder) return orderProblems(path, layer, source, target);
  if (!layer || layer.imports.includes(targetFolder)) return [];
  return [`imports "${source}": ${folder} may import ${['itself', ...layer.imports].join(', ')} only`];
}

/** Folders inside a layer are in an order, so that no two of them can need each other. */
function orderProblems(path: string, { order }: Layer, source: string, target: string): string[] {
  if (!order) return [];
  const folderOf = (file: string) => posix.dirname(file).split('/').slice(1).join('/');
  const [from, to] = [order.indexOf(folderOf(path)), order.indexOf(folderOf(target))];
  if (from === -1) return ['is in a folder that has no place in the order of test/architecture/layers.ts'];
  if (to <= from) return [];
  return [`imports "${source}", whose folder comes later in the order of test/architecture/layers.ts`];
}

function packageProblems(path: string, layer: Layer | undefined, { source, isTypeOnly }: Import): string[] {
  if (source.startsWith('@orpc/') && layer && !orpcFiles.some((pattern) => pattern.test(path))) {
    return [`imports "${source}": oRPC is seen by contract/app-rpc, core/app/rpc-*.ts and renderer/app/client.ts only`];
  }
  if (!layer) {
    // A main module for the double (…-main.ts) runs where `electron` is the double.
    const isElectron = /^electron(-store)?$/.test(source) && !isTypeOnly && !path.endsWith('-main.ts');
    return isElectron ? [`imports "${source}", which in plain Node tries to download a binary`] : [];
  }
  if (source.startsWith('node:')) return layer.node ? [] : [`imports "${source}": this folder runs without Node`];
  const name = source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/');
  const allowed = [...layer.packages, ...(isTypeOnly ? (layer.types ?? []) : [])];
  const isAtHome = allowed.some((entry) =>
    entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry,
  );
  return isAtHome ? [] : [`imports "${source}", which is not at home here (test/architecture/layers.ts)`];
}
