// Builds the screens, Electron's main process, and the bundle of what Node runs, if a source is newer than what was built.
import { isBuilt, isFirstBuild } from './built.cjs';
import { formatSeconds } from './first-start.mjs';
import { runTool } from './tool.mjs';

/**
 * Builds if a source is newer than what was built. Returns what went wrong, or undefined.
 * @param {(sentence: string) => void} [tell]
 * @returns {Promise<string | undefined>}
 */
export async function freshBuild(tell = () => {}) {
  if (isBuilt()) return undefined;
  tell(
    `${isFirstBuild() ? 'Building the app for the first time' : 'Building the app, because its sources have changed'}…`,
  );
  const since = performance.now();
  const { code, output } = await runTool('vite', ['build', '--app', '--config', 'vite.config.ts']);
  if (code !== 0) return `The build failed. Output of vite:\n${output.trimEnd()}`;
  tell(`Built the app in ${formatSeconds(since)}.`);
  return undefined;
}
