// What `npm run build` leaves, and whether it is as new as its sources. CommonJS: an `import` of Node's modules costs each start 20 ms.
const { readdirSync, statSync } = require('node:fs');
const { join, relative, sep } = require('node:path');

const project = join(__dirname, '..');
const serviceSources = [
  'shared',
  'contract',
  'service',
  'scripts/host-bundle.mjs',
  'scripts/lean-contract.mjs',
  'vite.config.ts',
  'package-lock.json',
  'node_modules/.package-lock.json',
];
const sources = [
  ...serviceSources,
  'core',
  'headless',
  'command-line',
  'electron',
  'renderer',
  'docs',
  'CHANGELOG.md',
  'scripts/help-pages.mjs',
];
const outputs = [
  'dist/electron/main.js',
  'dist/electron/preload.cjs',
  'dist/renderer/index.html',
  'dist/host/service_main.cjs',
  'dist/host/core_receiver_server_receiver_worker.cjs',
];

/** Whether everything is built, and no source has changed since; of one entry's in half the time. @param {readonly string[]} from */
function isBuilt(from = sources) {
  const built = outputs.map((path) => statSync(join(project, path), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const oldest = Math.min(...built);
  return oldest > 0 && from.every((path) => newest(join(project, path), false) <= oldest);
}

/** Whether nothing is built yet. */
function isFirstBuild() {
  return outputs.every((path) => statSync(join(project, path), { throwIfNoEntry: false }) === undefined);
}

/**
 * When a file, or a folder with all that is in it, was last changed; 0 if it does not exist. A package's own folder does not count: what
 * `npm pack` puts there comes and goes.
 * @param {string} path
 * @param {boolean} countsItself
 * @returns {number}
 */
function newest(path, countsItself = true) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  const names = readdirSync(path).filter((name) => !/^(?:\.|(?:dist|node_modules|LICENSE)$)/.test(name));
  return names.reduce((latest, name) => Math.max(latest, newest(`${path}/${name}`)), countsItself ? found.mtimeMs : 0);
}

/** Returns what an entry in the bundle is built from. @param {string} entry */
function sourcesOf(entry) {
  const [folder = ''] = relative(project, entry).split(sep);
  return folder === 'service' ? serviceSources : [...serviceSources, 'core', folder];
}

/**
 * Returns the file of an entry in the bundle: `dist/host/service_main.cjs` for `service/main.ts`.
 * @param {string} entry
 */
function bundleOf(entry) {
  return join(project, 'dist', 'host', `${bundleName(relative(project, entry))}.cjs`);
}

/** @param {string} entry relative to the project */
function bundleName(entry) {
  return entry.replaceAll(/[\\/-]/g, '_').replace(/\.ts$/, '');
}

module.exports = { bundleName, bundleOf, isBuilt, isFirstBuild, outputs, sourcesOf };
