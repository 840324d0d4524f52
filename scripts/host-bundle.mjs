// Creates the bundles that scripts/quick-start.mjs runs instead of the sources, in `npm run build`: the service, the headless host,
// the commands, and threads with their packages, and beside each a list of its source files.
import { statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { isAbsolute, join, relative } from 'node:path';
import { bundleName, manifestOf } from './fresh-bundle.mjs';
import { projectFolder } from './tool.mjs';

/**
 * The entries; each has a bundle of its own, in which all that it loads at its start is one file. The threads for places run as sources:
 * their cities are next to the package's code.
 */
export const hostEntries = [
  'service/main.ts',
  'headless/main.ts',
  'service/operator/main.ts',
  'command-line/main.ts',
  'headless/service-worker.ts',
  'core/receiver/server/receiver-worker.ts',
];

/** npm's own record of what it installed: it stands for the files of all packages, a thousand of them. */
const packagesRecord = 'node_modules/.package-lock.json';
/** What decides how imports are resolved, and the packages, beside our own modules. */
const deciding = ['package.json', 'package-lock.json', 'vite.config.ts', 'scripts/host-bundle.mjs', packagesRecord];

/** Packages and our modules import them, but seldom use them. */
const seldomUsed = ['fs/promises', 'http2', 'https', 'zlib'];

/**
 * Returns the expression for one of Node's modules. One that is seldom used is loaded with the first use of an export, and
 * `assert` when an assertion fails.
 * @param {string} name
 */
function builtinText(name) {
  const text = `process.getBuiltinModule('node:${name}')`;
  if (name !== 'assert' && !seldomUsed.includes(name)) return text;
  const exported = Object.keys(process.getBuiltinModule(`node:${name}`) ?? {});
  const lazy = `{ ${exported.map((key) => `get ${key}() { return ${text}.${key}; }`).join(', ')} }`;
  if (name !== 'assert') return lazy;
  // A function, which only has something to do if its assertion fails.
  const check = `(...parameters) => { if (!parameters[0]) ${text}(...parameters); }`;
  return `Object.defineProperties(${check}, Object.getOwnPropertyDescriptors(${lazy}))`;
}

/**
 * @param {string} outFolder
 * @returns {import('vite').Plugin}
 */
export function hostBundle(outFolder) {
  /** @type {Map<string, import('./fresh-bundle.mjs').Stamp>} */
  const read = new Map();
  /** @param {string} file */
  const stamp = (file) => {
    const { mtimeMs, size } = statSync(file);
    read.set(relative(projectFolder, file), [mtimeMs, size]);
  };
  return {
    name: 'rainbell-host-bundle',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => hostEntries.some((entry) => bundleName(entry) === name),
    buildStart() {
      read.clear();
      for (const file of deciding) stamp(`${projectFolder}${file}`);
    },
    // For an `import`, Node reads all exports of its own modules, which loads fetch, WebSocket, and Web Crypto: 40 ms. The bundler's
    // runtime imports `node:module` itself.
    resolveId: (id) =>
      isBuiltin(id) && !/^(node:)?module$/.test(id) ? `builtin:${id.replace('node:', '')}` : undefined,
    load(id) {
      const builtin = /^builtin:(.*)$/.exec(id)?.[1];
      if (builtin !== undefined) return { code: `module.exports = ${builtinText(builtin)};`, moduleType: 'js' };
      // Before it is read: what changes from now on makes the bundle too old.
      if (isAbsolute(id) && !id.includes('/node_modules/')) stamp(id.split('?')[0] ?? id);
      return undefined;
    },
    // Modules find their files, and their threads' entries, relative to their sources.
    transform(code, id) {
      if (!code.includes('import.meta.')) return undefined;
      const placed = code.replaceAll(/import\.meta\.(?:url|resolve\('#([^']+)'\))/g, (_, name) => {
        const file = name === undefined ? id : join(projectFolder, name);
        return `new URL(${JSON.stringify(relative(outFolder, file).replaceAll('\\', '/'))}, import.meta.url).href`;
      });
      return { code: placed, map: null };
    },
    // Last of all, so that no bundle counts before it is whole.
    writeBundle() {
      writeFileSync(join(outFolder, `${this.environment.name}.json`), manifestOf(read));
    },
  };
}
