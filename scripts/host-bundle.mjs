// The bundles that scripts/quick-start.mjs runs instead of the sources, made by `npm run build`: the service, the headless host,
// the commands, and threads with their packages, and beside them `manifest.json`, which says from which files they were made.
import { statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { manifestOf } from './fresh-bundle.mjs';
import { projectFolder } from './tool.mjs';

/** Entries by the names of their bundles. The threads of places run as sources: their cities lie beside the package's code. */
export const hostEntries = {
  service: 'service/main.ts',
  headless: 'headless/main.ts',
  operator: 'service/operator/main.ts',
  'command-line': 'command-line/main.ts',
  'service-worker': 'headless/service-worker.ts',
  'receiver-worker': 'core/receiver/receiver-worker.ts',
};

/** npm's own record of what it installed: it stands for the files of all packages, a thousand of them. */
const packagesRecord = 'node_modules/.package-lock.json';
/** What decides how imports are resolved, and the packages, beside our own modules. */
const deciding = ['package.json', 'package-lock.json', 'vite.config.ts', 'scripts/host-bundle.mjs', packagesRecord];

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
    applyToEnvironment: ({ name }) => name === 'host',
    buildStart() {
      read.clear();
      for (const file of deciding) stamp(`${projectFolder}${file}`);
    },
    // As an ES module Node's http loads all of its fetch and WebSocket, which takes 30 ms; asked for like this, it does not.
    resolveId: (id) => (/^(node:)?https?$/.test(id) ? `\0builtin:${id.replace('node:', '')}` : undefined),
    load(id) {
      const builtin = /^\0builtin:(.*)$/.exec(id)?.[1];
      if (builtin !== undefined) {
        return { code: `module.exports = process.getBuiltinModule('node:${builtin}');`, moduleType: 'js' };
      }
      // Before it is read: what changes from now on makes the bundle too old.
      if (isAbsolute(id) && !id.includes('/node_modules/')) stamp(id.split('?')[0] ?? id);
      return undefined;
    },
    // Modules find their files, and their threads' entries, where their sources lie.
    transform(code, id) {
      if (!code.includes('import.meta.url')) return undefined;
      const source = JSON.stringify(relative(outFolder, id).replaceAll('\\', '/'));
      return { code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`), map: null };
    },
    // Last of all, so that no bundle counts before it is whole.
    writeBundle() {
      const entries = Object.fromEntries(Object.entries(hostEntries).map(([name, entry]) => [entry, `${name}.js`]));
      writeFileSync(join(outFolder, 'manifest.json'), manifestOf(entries, read));
    },
  };
}
