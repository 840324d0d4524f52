// A feature's state is its own: the others read it, and act on it, by what its selectors.ts exports.
import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';

type Node = { type: string; [name: string]: unknown };

const files = globSync('renderer/**/*.{ts,tsx}', { cwd: projectFolder, exclude: ['**/node_modules/**', '**/*.d.ts'] })
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => ({ file, text: readFileSync(`${projectFolder}/${file}`, 'utf8') }));

const featureOf = (file: string) => /^renderer\/features\/([^/]+)\//.exec(file)?.[1];

/** The feature of each slice, by the `slices` in its index.ts. */
function owners(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { file, text } of files) {
    const [, list] = file.endsWith('/index.ts') ? (/^const slices = \{([^}]*)\}/m.exec(text) ?? []) : [];
    for (const [, slice = ''] of (list ?? '').matchAll(/(\w+):/g)) found.set(slice, featureOf(file) ?? '');
  }
  return found;
}

const owner = owners();

it('knows the slices of the features', () => {
  expect(owner.get('radar')).toBe('forecast');
  expect(owner.size).toBeGreaterThan(20);
});

it('no file reads a slice of another feature', () => {
  expect(files.flatMap(({ file, text }) => foreignReads(file, text))).toEqual([]);
});

it('finds each way to read one', () => {
  const ways = [
    'useApp((state) => state.radar.request)',
    'useApp(({ radar }) => radar.request)',
    'const { radar } = store.getState()',
    'const { radar } = get()',
    'store.getState().radar.load()',
    'store.subscribe((state, before) => state.x === before.radar)',
    'function isOn({ radar }: AppState) {}',
    'screenLink({ read: ({ radar }) => radar })',
    'const a = { b: (state) => state.radar }',
  ];
  for (const way of ways) {
    expect([way, foreignReads('renderer/features/help/x.ts', way)]).toEqual([way, [expect.stringContaining('radar')]]);
    expect(foreignReads('renderer/features/forecast/x.ts', way)).toEqual([]);
  }
  expect(
    foreignReads('renderer/features/help/x.tsx', 'function View({ radar }: Props) { return radar.request; }'),
  ).toEqual([]);
});

function foreignReads(file: string, text: string): string[] {
  const reads: string[] = [];
  const note = (key: unknown) => {
    const { name } = (key ?? {}) as { name?: string };
    const of = name === undefined ? undefined : owner.get(name);
    if (of !== undefined && of !== featureOf(file)) reads.push(`${file}: ${name}`);
  };
  const notePattern = (pattern: unknown) => {
    const { type, properties } = (pattern ?? {}) as { type?: string; properties?: { key?: unknown }[] };
    if (type === 'ObjectPattern') for (const { key } of properties ?? []) note(key);
  };
  const onFunction = (node: { params: readonly unknown[] }) => {
    const [first] = node.params as { typeAnnotation?: { typeAnnotation?: { typeName?: { name?: string } } } }[];
    if (first?.typeAnnotation?.typeAnnotation?.typeName?.name === 'AppState') notePattern(first);
  };
  const onState = (value: unknown) => {
    for (const pattern of ((value ?? {}) as { params?: unknown[] }).params ?? []) notePattern(pattern);
  };
  new Visitor({
    MemberExpression(node) {
      if (!node.computed && isState(node.object)) note(node.property);
    },
    VariableDeclarator(node) {
      if (isState(node.init)) notePattern(node.id);
    },
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    ArrowFunctionExpression: onFunction,
    CallExpression({ callee, arguments: given }) {
      const name = nameOf(callee);
      if (name === 'useApp' || name === 'subscribe') for (const one of given) onState(one);
      const [options] = given as unknown as { properties?: { key?: unknown; value?: unknown }[] }[];
      if (name === 'screenLink') for (const { value } of options?.properties ?? []) onState(value);
    },
  }).visit(parseSync(file, text).program);
  return reads;
}

/** `state`, `before`, `get()`, or `store.getState()`. */
function isState(node: unknown): boolean {
  const { type, name, callee } = (node ?? {}) as Node;
  if (type === 'Identifier') return name === 'state' || name === 'before';
  return type === 'CallExpression' && ['get', 'getState', 'state'].includes(nameOf(callee) ?? '');
}

function nameOf(callee: unknown): string | undefined {
  const { name, property } = (callee ?? {}) as { name?: string; property?: { name?: string } };
  return name ?? property?.name;
}
