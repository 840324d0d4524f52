// `npm run check:prose`: looks in texts, comments, test names, and Markdown for phrases that prose-rules.mjs replaces.
// `node scripts/prose.mjs [FOLDER]`: another checkout, to measure a new rule on older texts.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { proseRules } from './prose-rules.mjs';
import { projectFolder } from './tool.mjs';

/** @typedef {import('./prose-rules.mjs').Kind} Kind */
/** @typedef {{ kind: Kind, text: string, offset: number }} Prose */
/** @typedef {{ type: string, start: number, end: number, [key: string]: unknown }} SyntaxNode */

/** Texts that others fix (the messages of the website, the interface). */
const exempt = /^(?:service\/website\/layout\/feedback\.ts|docs\/interface\.md)$|(?:^|\/)(?:fixtures|double)\//;

/**
 * Every text of a file that someone may read.
 * @param {string} file
 * @param {string} source
 * @returns {Prose[]}
 */
export function proseOf(file, source) {
  return file.endsWith('.md') ? markdownProse(source) : codeProse(file, source);
}

/** @param {string} source */
function markdownProse(source) {
  // Code is blanked rather than cut out, so that offsets stay right.
  const blank = (/** @type {string} */ code) => code.replace(/[^\n]/g, ' ');
  const plain = source.replace(/^[ \t]*```[\s\S]*?^[ \t]*```/gm, blank).replace(/(`+)[^`]+\1|\]\([^)\n]*\)/g, blank);
  return [{ kind: /** @type {const} */ ('document'), text: plain.replaceAll('\n', ' '), offset: 0 }];
}

/**
 * @param {string} file
 * @param {string} source
 */
function codeProse(file, source) {
  const isTest = file.startsWith('test/');
  const { program, comments } = parseSync(file, source);
  /** @type {Prose[]} */
  const found = comments.map(({ value, start }) => ({
    kind: 'comment',
    text: ` ${value}`.replace(/\n[ \t]*\*?/g, (line) => ' '.repeat(line.length)),
    offset: start + 1,
  }));
  const visit = (/** @type {SyntaxNode} */ node, /** @type {SyntaxNode | undefined} */ parent) => {
    const text = textOf(node);
    if (text !== undefined) {
      const isRead = isTest ? isTestName(node, parent) : !isHidden(node, parent) && /[a-z]{2,}[ ,.:;]+\S/i.test(text);
      if (isRead) found.push({ kind: isTest ? 'test name' : 'screen', text, offset: node.start });
      if (node.type !== 'TemplateLiteral') return;
    }
    if (node.type === 'ImportDeclaration' || isType(node)) return;
    for (const key in node) {
      const child = node[key];
      if (Array.isArray(child)) {
        for (const one of child) if (isNode(one)) visit(one, node);
      } else if (isNode(child)) visit(child, node);
    }
  };
  visit(/** @type {SyntaxNode} */ (/** @type {unknown} */ (program)), undefined);
  return found;
}

/**
 * @param {unknown} value
 * @returns {value is SyntaxNode}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** @param {SyntaxNode} node */
function isType({ type }) {
  return type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type);
}

/** @param {SyntaxNode} node */
function textOf(node) {
  if (node.type === 'JSXText') return String(node['value']).replace(/\s/g, ' ');
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const parts = /** @type {{ value: { cooked: string | null } }[]} */ (node['quasis']);
  return parts.map(({ value }) => value.cooked ?? '').join('…');
}

/**
 * @param {SyntaxNode} node
 * @param {SyntaxNode | undefined} parent
 */
function isTestName(node, parent) {
  if (parent?.type !== 'CallExpression') return false;
  const [first] = /** @type {unknown[]} */ (parent['arguments']);
  return first === node && /^(?:describe|it|test)\b/.test(calleeOf(parent['callee']));
}

/**
 * SQL, CSS, and class names are not prose.
 * @param {SyntaxNode} node
 * @param {SyntaxNode | undefined} parent
 */
function isHidden(node, parent) {
  if (parent?.type === 'TaggedTemplateExpression') return /^(?:sql|css)\b/.test(calleeOf(parent['tag']));
  if (parent?.type === 'JSXAttribute')
    return /^(?:class|.*ClassName$|d$|style$)/.test(String(/** @type {{ name?: unknown }} */ (parent['name']).name));
  return false;
}

/** @param {unknown} node @returns {string} */
function calleeOf(node) {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node['name']);
  return calleeOf(node['object'] ?? node['callee'] ?? node['tag']);
}

/**
 * Where the rules find something to replace.
 * @param {string} file
 * @param {string} source
 * @returns {{ line: number, found: string, instead: string, near: string }[]}
 */
export function proseProblems(file, source) {
  return proseOf(file, source).flatMap(({ kind, text, offset }) =>
    proseRules.flatMap(({ find, instead, kinds }) => {
      if (kinds && !kinds.includes(kind)) return [];
      return [...text.matchAll(new RegExp(find, `${find.flags}g`))].map((match) => ({
        line: source.slice(0, offset + match.index).split('\n').length,
        found: match[0].trim(),
        instead,
        near: text.slice(Math.max(0, match.index - 60), match.index + match[0].length + 60).replace(/\s+/g, ' '),
      }));
    }),
  );
}

/** @param {string} folder */
export function checkProse(folder) {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md'], { cwd: folder, encoding: 'utf8' });
  return files
    .split('\n')
    .filter((file) => file !== '' && !exempt.test(file) && existsSync(join(folder, file)))
    .flatMap((file) =>
      proseProblems(file, readFileSync(join(folder, file), 'utf8')).map((problem) => ({ file, ...problem })),
    );
}

if (import.meta.main) {
  const problems = checkProse(process.argv[2] ?? projectFolder);
  for (const { file, line, found, instead, near } of problems) {
    console.log(`${file}:${line}: “${found}” → ${instead}\n    ${near}`);
  }
  if (problems.length > 0) {
    console.error(`Phrases to replace: ${problems.length}.`);
    process.exitCode = 1;
  }
}
