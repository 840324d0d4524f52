// The pages of the app's Help screen, made of docs/*.md while the screens are built: a tree of known elements, so that the window
// neither parses Markdown nor inserts HTML. `virtual:help-pages` has them with what is new, `virtual:licenses` the packages.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { marked } from 'marked';
import { projectFolder } from './tool.mjs';

const projectPage = 'https://github.com/rainbell/rainbell';

/** Pages by their names in `#/help/NAME`, in the order of the table of contents. */
export const helpFiles = {
  start: 'docs/user-guide.md',
  webhooks: 'docs/guide/webhooks.md',
  forecast: 'docs/guide/forecast.md',
  monitors: 'docs/guide/monitors.md',
  callbacks: 'docs/guide/callbacks.md',
  receiver: 'docs/guide/receiver.md',
  access: 'docs/guide/access.md',
  sandbox: 'docs/guide/sandbox.md',
  traffic: 'docs/guide/traffic.md',
  settings: 'docs/guide/settings.md',
  keys: 'docs/guide/keys.md',
  data: 'docs/guide/data.md',
  'command-line': 'docs/command-line.md',
  'command-line-formats': 'docs/command-line-formats.md',
  'command-line-scripts': 'docs/command-line-scripts.md',
  'endpoint-check': 'docs/endpoint-check.md',
  agents: 'docs/agents.md',
  feed: 'docs/feed.md',
  interface: 'docs/interface.md',
  delivery: 'docs/delivery.md',
  news: 'CHANGELOG.md',
};

/** @typedef {import('../shared/help-page.ts').HelpNode} HelpNode */
/** @typedef {import('../shared/help-page.ts').HelpPage} HelpPage */
/** @typedef {import('marked').Token} Token */
/** @typedef {import('marked').Tokens.Generic} Generic */

/** @returns {HelpPage[]} */
export function readHelpPages() {
  return Object.entries(helpFiles).map(([name, file]) =>
    helpPage(name, file, readFileSync(`${projectFolder}${file}`, 'utf8')),
  );
}

/**
 * @param {string} name
 * @param {string} file
 * @param {string} text
 * @returns {HelpPage}
 */
export function helpPage(name, file, text) {
  /** @type {HelpPage['sections']} */
  const sections = [];
  /** @type {Set<string>} */
  const ids = new Set();
  let title = name;
  for (const token of marked.lexer(text, { gfm: true })) {
    if (token.type === 'space' || token.type === 'html') continue;
    if (token.type === 'heading' && token['depth'] === 1) {
      title = plainText(token);
      sections.push({ id: '', depth: 1, title, body: [] });
    } else if (token.type === 'heading') {
      const heading = plainText(token);
      const id = uniqueId(heading, ids);
      sections.push({ id, depth: Math.min(4, Number(token['depth'])), title: heading, body: [] });
    } else {
      const section = sections.at(-1);
      if (!section) throw new Error(`${file} has text before its title.`);
      section.body.push(...nodeOf(token, file));
    }
  }
  return { name, title: name === 'news' ? 'What’s new' : title, file, sections };
}

/**
 * GitHub's rule, so that links work in both places.
 * @param {string} heading
 * @param {Set<string>} ids
 */
function uniqueId(heading, ids) {
  const base = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  let id = base;
  for (let count = 1; ids.has(id); count += 1) id = `${base}-${count}`;
  ids.add(id);
  return id;
}

/** @param {Generic | Token} token @returns {string} */
function plainText(token) {
  const { tokens, text, type } = /** @type {Generic} */ (token);
  if (tokens && type !== 'codespan') return tokens.map(plainText).join('');
  return type === 'br' ? ' ' : String(text ?? '');
}

/** @param {readonly Token[] | undefined} tokens @param {string} file @returns {HelpNode[]} */
function nodesOf(tokens, file) {
  return (tokens ?? []).flatMap((token) => nodeOf(token, file));
}

/**
 * @param {Token} token
 * @param {string} file
 * @returns {HelpNode[]}
 */
function nodeOf(token, file) {
  const generic = /** @type {Generic} */ (token);
  const inner = () => nodesOf(generic.tokens, file);
  switch (token.type) {
    case 'space':
    case 'html':
    case 'image':
      return [];
    case 'text':
    case 'escape':
      return generic.tokens ? inner() : [String(generic['text']).replaceAll(/\s*\n\s*/g, ' ')];
    case 'br':
      return [' '];
    case 'codespan':
      return [['code', String(generic['text'])]];
    case 'code':
      return [['pre', String(generic['text'])]];
    case 'strong':
    case 'em':
    case 'paragraph':
    case 'blockquote':
      return [[tagOf(token.type), ...inner()]];
    case 'link':
      return [[{ to: targetOf(String(generic['href']), file) }, ...inner()]];
    case 'list':
      return [
        [
          generic['ordered'] === true ? 'ol' : 'ul',
          .../** @type {import('marked').Tokens.List} */ (token).items.map(
            (item) => /** @type {HelpNode} */ (['li', ...nodesOf(item.tokens, file)]),
          ),
        ],
      ];
    case 'table':
      return [tableOf(/** @type {import('marked').Tokens.Table} */ (token), file)];
    default:
      throw new Error(`${file}: the help can't show Markdown of the kind "${token.type}".`);
  }
}

/** @param {'strong' | 'em' | 'paragraph' | 'blockquote'} type */
function tagOf(type) {
  return type === 'paragraph' ? 'p' : type;
}

/** @param {import('marked').Tokens.Table} table @param {string} file @returns {HelpNode} */
function tableOf({ header, rows }, file) {
  /** @param {'th' | 'td'} tag @param {readonly import('marked').Tokens.TableCell[]} cells @returns {HelpNode} */
  const row = (tag, cells) => [
    'tr',
    // A header without text heads nothing.
    ...cells.map((cell) => /** @type {HelpNode} */ ([cell.text === '' ? 'td' : tag, ...nodesOf(cell.tokens, file)])),
  ];
  const hasHeader = header.some(({ text }) => text !== '');
  return [
    'table',
    ...(hasHeader ? [/** @type {HelpNode} */ (['thead', row('th', header)])] : []),
    ['tbody', ...rows.map((cells) => row('td', cells))],
  ];
}

/**
 * A page of the help keeps to the app; another document of the project is at its public page.
 * @param {string} href
 * @param {string} file
 */
function targetOf(href, file) {
  if (/^(https?:|#\/)/.test(href)) return href;
  const [path = '', section] = href.split('#');
  const target = path === '' ? file : posix.join(dirname(file), path);
  const page = Object.entries(helpFiles).find(([, name]) => name === target)?.[0];
  if (page !== undefined) return `#/help/${page}${section ? `?at=${section}` : ''}`;
  if (!existsSync(`${projectFolder}${target}`)) throw new Error(`${file} links to ${target}, which doesn't exist.`);
  return `${projectPage}/blob/main/${target}${section ? `#${section}` : ''}`;
}

/**
 * Production packages of package-lock.json, as they are installed.
 * @returns {{ name: string; version: string; license: string; text: string }[]}
 */
export function readLicenses() {
  /** @type {{ packages: Record<string, { dev?: boolean; optional?: boolean; peer?: boolean; version?: string; license?: string }> }} */
  const { packages } = JSON.parse(readFileSync(`${projectFolder}package-lock.json`, 'utf8'));
  const found = Object.entries(packages)
    .filter(([, { dev, optional, peer }]) => !dev && !optional && !peer)
    .filter(([path]) => path.startsWith('node_modules/') && existsSync(`${projectFolder}${path}`))
    .filter(([path]) => !path.startsWith('node_modules/@rainbell/'))
    .map(([path, { version = '', license = 'see its page' }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license,
      text: licenseText(`${projectFolder}${path}`),
    }));
  return found.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** @param {string} folder */
function licenseText(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e(-mit)?|copying)(\.md|\.txt)?$/i.test(name));
  return file === undefined ? '' : readFileSync(`${folder}/${file}`, 'utf8').trim();
}

/** @returns {string | null} */
function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], {
      cwd: projectFolder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** @returns {import('vite').Plugin} */
export function helpPages() {
  const modules = {
    'virtual:help-pages': () => `export const pages = ${JSON.stringify(readHelpPages())};`,
    'virtual:licenses': () => `export const licenses = ${JSON.stringify(readLicenses())};`,
    'virtual:build': () => `export const commit = ${JSON.stringify(commit())};`,
  };
  /** @param {string} id @returns {id is keyof typeof modules} */
  const isOurs = (id) => Object.hasOwn(modules, id);
  return {
    name: 'rainbell-help-pages',
    applyToEnvironment: ({ config }) => config.consumer === 'client',
    resolveId: (id) => (isOurs(id) ? `\0${id}` : null),
    load(id) {
      const name = id.slice(1);
      if (!id.startsWith('\0') || !isOurs(name)) return null;
      for (const file of Object.values(helpFiles)) this.addWatchFile(`${projectFolder}${file}`);
      return modules[name]();
    },
  };
}
