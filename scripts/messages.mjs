// The app's texts as one catalog, renderer/messages.po: `npm run messages` writes it, and a test compares it. The texts stay in the
// code that shows them; wuchale extracts them from there, with their placeholders and plurals.
// The app is in English only and is built without this; test/setup/pseudo-locale.ts builds it with another locale.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { adapter as jsxAdapter } from '@wuchale/jsx';
import PO from 'pofile';
import { IndexTracker } from 'wuchale';
import { Transformer } from 'wuchale/adapter-vanilla';
import { projectFolder } from './tool.mjs';

/** @typedef {import('wuchale').Message} Message */

export const catalogFile = join(projectFolder, 'renderer/messages.po');

/** What the bundle of the screens contains, and who else writes texts that the app shows: menus, notifications, errors. */
const sources = ['renderer/**/*.{ts,tsx}', '{shared,contract,core,electron}/**/*.ts'];

/** Attributes that people read or hear; the others name what the browser does. */
const hiddenAttributes =
  /^(?:class|.*ClassName|key|id|href|type|role|d|transform|style|variant|size|color|position|aria-keyshortcuts)$/;

/** Capitalized words that programs compare or send: keys of the keyboard, accelerators, HTTP, events, months, colors, class names. */
const codeWords =
  /^(?:Escape|Enter|Tab|Delete|Backspace|Home|End|Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|AltGraph|(?:CmdOrCtrl|Cmd|Ctrl|Mod|Alt|Shift)\+.*|(?:Bearer|Basic)(?: \S+)?|Content-Type|[A-Z][a-z]+(?:-[A-Z][a-z]+)+|Error|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Canvas|Highlight|partly cloudy|snow flurries|[A-Z]+(?: [A-Z]+)*|[A-Z][a-z]+[A-Z]\w*)$/;

/** Calls that read selectors or SQL, and those that only programmers read: logs, and descriptions of the interface's fields. */
const codeCalls =
  /^(?:console\.|.*querySelector|.*\.(?:closest|matches|animate|getPropertyValue|getContext|prepare|exec|describe)$)|\blog\.(?:debug|info|warn|error)$/;

/** Syntax of code: styles, SQL, HTTP, lists of identifiers, and section names of files. */
const codeSyntax = [
  /[{}=<>]|--|^import |;$|^[a-z]+-|\b(?:rb-|var\(|minmax\()|\b(?:sans-serif|monospace)\b/,
  /\b(?:SELECT|FROM|WHERE|VALUES|UPDATE|INTEGER|PRAGMA|INDEX|TABLE|NOT NULL|NULLS LAST|DESC|BETWEEN|CASE WHEN|VACUUM|BEGIN IMMEDIATE)\b|\b(?:NOT|coalesce|instr) ?\(/,
  /^HTTP\/|^\d{3} [A-Z]/,
  /^(?:#, )?[a-z]\w*(?:, \w+)+(?:, #)?$/,
  /^\[[^\]]*\]$/,
  /\bpx\b|:is\(/,
];

/** Code with texts in it, which are missing in the catalog, and errors that only programmers read ("json-worker.ts runs in …"). */
const codeText = /\n|<\/|^[\w-]+\.tsv?\b/;

/** A sentence, or four words in a row: then signs of code in it are what the text is about. */
const prose = /^\p{Lu}\p{Ll}*(?:,? [\p{L}#]+){2}.*[.:…?!]$|(?:^|[ #])(?:\p{Ll}+ ){3}\p{Ll}+/u;

/** @type {import('wuchale').HeuristicFunc} */
function isMessage({ msgStr, details: { scope, element, attribute, call } }) {
  const text = msgStr.join('\n');
  if (!/\p{L}/u.test(text) || /^(?:code|pre|kbd|style|path)$/.test(element ?? '')) return false;
  if (scope === 'markup') return 'message';
  if (hiddenAttributes.test(attribute ?? '') || codeCalls.test(call ?? '') || codeWords.test(text)) return false;
  const isProse = prose.test(text) && !codeText.test(text);
  if (!isProse && codeSyntax.some((syntax) => syntax.test(text))) return false;
  const isSentence = /\p{L}{2,}[,.:;]? [\p{L}“(#]/u.test(text);
  return isSentence || /^[“(]?\p{Lu}(?:\p{Ll}| \p{Ll})/u.test(text) ? 'message' : false;
}

/** `plural(3, ['# monitor', '# monitors'])`, shared/text/plural.ts. */
/** @type {import('wuchale').CodePattern[]} */
const patterns = [{ name: 'plural', args: ['other', 'message', 'other', 'pluralFunc'] }];

const unchanged = (/** @type {string} */ expression) => expression;
/** One lookup for a module (see `messagesOf`): the locale does not change while the app runs. */
const runtime = {
  initReactive: () => null,
  useReactive: false,
  plain: { wrapInit: unchanged, wrapUse: unchanged },
  reactive: { wrapInit: unchanged, wrapUse: unchanged },
};

const components = jsxAdapter({ files: sources, heuristic: isMessage, patterns, runtime });

/** With the texts that wuchale leaves out: of errors that are thrown, `satisfies` expressions, and default values. */
class ModuleTransformer extends Transformer {
  /** @param {ConstructorParameters<typeof Transformer>} options */
  constructor(...options) {
    super(...options);
    const visitors = /** @type {Record<string, (node: { params: never[] }) => Message[]>} */ (
      /** @type {unknown} */ (this)
    );
    for (const name of ['visitFunctionDeclaration', 'visitFunctionExpression', 'visitArrowFunctionExpression']) {
      const visitFunction = visitors[name];
      visitors[name] = (node) => [...node.params.flatMap(this.visit), ...(visitFunction?.(node) ?? [])];
    }
    // Why a part of the store stays when the connection changes (renderer/store/slice.ts) is for programmers.
    const properties = /** @type {{ visitProperty: (node: { key: { type: string, name?: string } }) => Message[] }} */ (
      /** @type {unknown} */ (this)
    );
    const { visitProperty } = properties;
    properties.visitProperty = (node) => (node.key.name === 'because' ? [] : visitProperty(node));
  }

  visitTSSatisfiesExpression = (/** @type {{ expression: never }} */ { expression }) => this.visit(expression);
  visitThrowStatement = (/** @type {{ argument: never }} */ { argument }) => this.visit(argument);
}

/**
 * The messages of a file, and its code with a call of `_w_runtime_` in place of each, which must be declared before it.
 * @param {string} file relative to the project's folder
 * @param {string} content
 * @returns {Promise<{ messages: Message[], indexOf: (message: Message) => number, code: string }>}
 */
export async function messagesOf(file, content) {
  const index = new IndexTracker();
  const expr = { plain: '', reactive: '' };
  const matchUrl = () => null;
  const { msgs, output } = file.endsWith('.tsx')
    ? await components.transform({ content, filename: file, index, expr, matchUrl })
    : new ModuleTransformer(content, file, index, isMessage, patterns, expr, runtime, matchUrl).transform();
  return { messages: msgs, indexOf: (message) => index.get(message.toKey()), code: output('').code ?? content };
}

/** Whether the app shows texts of a file. @param {string} file relative to the project's folder */
export function hasMessages(file) {
  return !file.endsWith('.d.ts') && sources.some((pattern) => matchesGlob(file, pattern));
}

/** The catalog as it should be: every message once, with the files that show it. */
export async function createCatalog() {
  /** @type {Map<string, InstanceType<typeof PO.Item>>} */
  const items = new Map();
  for (const file of globSync(sources, { cwd: projectFolder }).filter(hasMessages).sort()) {
    const found = await messagesOf(file, readFileSync(join(projectFolder, file), 'utf8'));
    for (const message of found.messages) {
      const item = items.get(message.toKey()) ?? new PO.Item();
      items.set(message.toKey(), item);
      [item.msgid, item.msgid_plural] = /** @type {[string, string]} */ (message.msgStr);
      item.msgstr = message.msgStr;
      if (!item.references.includes(file)) item.references.push(file);
      if (item.extractedComments.length === 0) item.extractedComments = message.comments;
    }
  }
  const catalog = new PO();
  catalog.headers = {
    Language: 'en',
    'Content-Type': 'text/plain; charset=utf-8',
    'Plural-Forms': 'nplurals=2; plural=n != 1;',
  };
  catalog.items = [...items.values()].sort((one, other) => (one.msgid < other.msgid ? -1 : 1));
  return `${catalog.toString()}\n`;
}

if (import.meta.main) writeFileSync(catalogFile, await createCatalog());
