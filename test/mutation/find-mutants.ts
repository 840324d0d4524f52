// Finds small faults that a careless change could make. Each is one edit of the source that a compiler would mostly accept.
// Left out on purpose: text with a space, log calls, and metric help, because words are not behavior; dropped `await`, which the
// linter reports; and `?.`, which the compiler reports.
import { type CallExpression, type Expression, type Node, parseSync, visitorKeys } from 'oxc-parser';

export type MutantKind =
  | 'condition'
  | 'boundary'
  | 'equality'
  | 'arithmetic'
  | 'logic'
  | 'negation'
  | 'boolean'
  | 'string'
  | 'array'
  | 'call'
  | 'statement';

export type Mutant = {
  /** Relative to the root of the project, with slashes. */
  file: string;
  line: number;
  start: number;
  end: number;
  kind: MutantKind;
  original: string;
  /** What takes the place of the original; ';' removes a statement, also the only one of an `if`. */
  replacement: string;
  /** Whether it runs when the module is loaded, and not in a function. */
  isStatic: boolean;
};

type Edit = Pick<Mutant, 'kind' | 'replacement'> & { node: { start: number; end: number } };
type Place = { parent: Node | undefined; key: string; inFunction: boolean };

const swappedOperators: Readonly<Record<string, readonly [MutantKind, string]>> = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '===': ['equality', '!=='],
  '!==': ['equality', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
};
const swappedAssignments: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' };
const swappedMethods: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  floor: 'ceil',
  ceil: 'floor',
};
/** Calls of these can go, so that the object itself is left. */
const droppedMethods = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim']);
const logCall = /(^|\.)(log|logger|console)\??\.\w+\(/;
const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
/** TypeScript's nodes that hold a value; all others are types. */
const valueWrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion']);
const skippedTypes = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TemplateElement',
  'JSXAttribute',
  'JSXText',
]);

export function findMutants(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map((match) => match.index + 1)];
  const mutants: Mutant[] = [];
  const visit = (node: Node, place: Place): void => {
    if (isSkipped(node, source)) return;
    for (const { node: range, kind, replacement } of editsOf(node, place, source)) {
      const original = source.slice(range.start, range.end);
      const line = lineStarts.findLastIndex((start) => start <= range.start) + 1;
      mutants.push({
        file,
        line,
        start: range.start,
        end: range.end,
        kind,
        original,
        replacement,
        isStatic: !place.inFunction,
      });
    }
    const inFunction = place.inFunction || functionTypes.has(node.type);
    for (const [key, child] of childrenOf(node)) visit(child, { parent: node, key, inFunction });
  };
  visit(program, { parent: undefined, key: '', inFunction: false });
  return mutants;
}

function isSkipped(node: Node, source: string): boolean {
  if (skippedTypes.has(node.type)) return true;
  if (node.type.startsWith('TS') && !valueWrappers.has(node.type)) return true;
  if (node.type === 'ExportNamedDeclaration' && node.source !== null) return true;
  return node.type === 'ExpressionStatement' && logCall.test(source.slice(node.start, node.end).split('\n')[0] ?? '');
}

function childrenOf(node: Node): [string, Node][] {
  const values = node as unknown as Record<string, unknown>;
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const value = values[key];
    return (Array.isArray(value) ? value : [value]).filter(isNode).map((child): [string, Node] => [key, child]);
  });
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function editsOf(node: Node, { parent, key }: Place, source: string): Edit[] {
  const text = (part: { start: number; end: number }) => source.slice(part.start, part.end);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- most nodes have no fault of their own
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return conditions(node.test);
    case 'WhileStatement':
      return node.test.type === 'Literal' ? [] : [{ node: node.test, kind: 'condition', replacement: 'false' }];
    case 'BinaryExpression': {
      const swapped = swappedOperators[node.operator];
      if (swapped === undefined || (node.operator === '+' && [node.left, node.right].some(isText))) return [];
      return [{ node, kind: swapped[0], replacement: `${text(node.left)} ${swapped[1]} ${text(node.right)}` }];
    }
    case 'LogicalExpression': {
      const operator = node.operator === '&&' ? '||' : '&&';
      const [left, right] = [node.left, node.right].map((side) => bracketed(side, text(side)));
      return [{ node, kind: 'logic', replacement: `${left} ${operator} ${right}` }];
    }
    case 'UnaryExpression':
      return node.operator === '!' ? [{ node, kind: 'negation', replacement: text(node.argument) }] : [];
    case 'UpdateExpression': {
      const swapped = node.operator === '++' ? '--' : '++';
      const argument = text(node.argument);
      const replacement = node.prefix ? swapped + argument : argument + swapped;
      return [{ node, kind: 'arithmetic', replacement }];
    }
    case 'AssignmentExpression': {
      const swapped = swappedAssignments[node.operator];
      if (swapped === undefined || isText(node.right)) return [];
      return [{ node, kind: 'arithmetic', replacement: `${text(node.left)} ${swapped} ${text(node.right)}` }];
    }
    case 'Literal':
    case 'TemplateLiteral':
      return parent === undefined ? [] : literals(node, parent, key, text(node));
    case 'ArrayExpression':
      return node.elements.length > 0 ? [{ node, kind: 'array', replacement: '[]' }] : [];
    case 'CallExpression':
      return calls(node, text);
    case 'ExpressionStatement':
      return ('directive' in node && typeof node.directive === 'string') || text(node).startsWith('super(')
        ? []
        : [{ node, kind: 'statement', replacement: ';' }];
    case 'ThrowStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
      // A case of a switch that falls through is an error of the compiler.
      return parent?.type === 'SwitchCase' ? [] : [{ node, kind: 'statement', replacement: ';' }];
    case 'ReturnStatement':
      return node.argument === null && parent?.type !== 'SwitchCase'
        ? [{ node, kind: 'statement', replacement: ';' }]
        : [];
    default:
      return [];
  }
}

const conditions = (test: Expression): Edit[] =>
  ['true', 'false'].map((replacement) => ({ node: test, kind: 'condition', replacement }));

function literals(node: Node, parent: Node, key: string, text: string): Edit[] {
  const isName = (key === 'key' && 'computed' in parent && !parent.computed) || parent.type === 'TSEnumMember';
  if (isName || parent.type === 'TaggedTemplateExpression') return [];
  if (text === 'true' || text === 'false') {
    // A condition that is already constant.
    const replacement = text === 'true' ? 'false' : 'true';
    return [{ node, kind: 'boolean', replacement }];
  }
  const isTypeName = parent.type === 'BinaryExpression' && isTypeof(parent.left);
  if (!/^['"`]/.test(text) || text.length <= 2 || /\s/.test(text) || isTypeName) return [];
  return [{ node, kind: 'string', replacement: "''" }];
}

const isTypeof = (node: Node): boolean => node.type === 'UnaryExpression' && node.operator === 'typeof';

function calls(node: CallExpression, text: (part: { start: number; end: number }) => string): Edit[] {
  const callee = node.callee;
  if (callee.type !== 'MemberExpression' || callee.computed || node.optional || callee.optional) return [];
  const name = text(callee.property);
  const object = text(callee.object);
  const swapped = Object.hasOwn(swappedMethods, name) ? swappedMethods[name] : undefined;
  if (swapped !== undefined) {
    return [{ node, kind: 'call', replacement: `${object}.${swapped}${text({ start: callee.end, end: node.end })}` }];
  }
  return droppedMethods.has(name) ? [{ node, kind: 'call', replacement: object }] : [];
}

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && node.operator === '+' && [node.left, node.right].some(isText));

/** Mixing `??` with `&&` or `||` without brackets is a syntax error, and `||` binds less than `&&`. */
function bracketed(node: Node, text: string): string {
  return node.type === 'LogicalExpression' || node.type === 'ConditionalExpression' ? `(${text})` : text;
}
