// Builds the screens, Electron's main process, and the bundle of what Node runs, if a source is newer than what was built.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatSeconds } from './first-start.mjs';
import { projectFolder, runTool } from './tool.mjs';

const sources = [
  'command-line',
  'shared',
  'contract',
  'storage',
  'core',
  'service',
  'electron',
  'headless',
  'renderer',
  'docs',
  'CHANGELOG.md',
  'scripts/help-pages.mjs',
  'vite.config.ts',
  'package-lock.json',
  'node_modules/.package-lock.json',
];
const outputs = [
  'dist/electron/main.js',
  'dist/electron/preload.cjs',
  'dist/renderer/index.html',
  'dist/host/service_main.cjs',
];

/**
 * Builds if a source is newer than what was built. Returns what went wrong, or undefined.
 * @param {(sentence: string) => void} [tell]
 * @returns {Promise<string | undefined>}
 */
export async function freshBuild(tell = () => {}) {
  if (isBuilt()) return undefined;
  const isFirst = outputs.every((path) => changedAt(join(projectFolder, path)) === undefined);
  tell(`${isFirst ? 'Building the app for the first time' : 'Building the app, because its sources have changed'}…`);
  const since = performance.now();
  const { code, output } = await runTool('vite', ['build', '--app', '--config', 'vite.config.ts']);
  if (code !== 0) return `The build failed. Output of vite:\n${output.trimEnd()}`;
  tell(`Built the app in ${formatSeconds(since)}.`);
  return undefined;
}

/** Whether everything is built, and no source has changed since. */
export function isBuilt() {
  const built = outputs.map((path) => changedAt(join(projectFolder, path)) ?? 0);
  return newest(sources.map((path) => join(projectFolder, path))) <= Math.min(...built);
}

/**
 * @param {readonly string[]} paths
 * @returns {number}
 */
function newest(paths) {
  return Math.max(0, ...paths.map((path) => changedAt(path) ?? 0), ...paths.flatMap(folderTimes));
}

/** @param {string} path */
function folderTimes(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  const names = readdirSync(path).filter((name) => !name.startsWith('.'));
  return [newest(names.map((name) => join(path, name)))];
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
