// What a fresh checkout needs first: its packages, with the project's own Node. Runs on any Node, so it uses only Node's modules.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { isNodeNewEnough, ownNode } from './node-version.mjs';
import { projectFolder } from './tool.mjs';

const packagesRecord = join(projectFolder, 'node_modules', '.package-lock.json');

/**
 * Installs the packages if there are none, then runs the script again on the project's own Node. Returns the exit code, or undefined if this
 * process can go on itself.
 * @param {string} script relative to the project
 * @param {readonly string[]} args
 * @param {(sentence: string) => void} tell
 * @returns {Promise<number | undefined>}
 */
export async function prepareFirstStart(script, args, tell) {
  if (existsSync(packagesRecord)) return undefined;
  tell('Installing the packages. This is needed only once and takes one to three minutes…');
  const since = performance.now();
  const { code, isInterrupted } = await installPackages();
  if (isInterrupted) return 130;
  if (code !== 0) {
    tell('error: the packages couldn\'t be installed; npm\'s message is above. Fix the cause, and run "npm ci".');
    return code;
  }
  tell(`Installed the packages in ${formatSeconds(since)}.`);
  if (isNodeNewEnough || !existsSync(ownNode)) return undefined;
  const ending = await runChild(ownNode, [script, ...args], { cwd: projectFolder });
  return ending.isInterrupted ? 0 : ending.code;
}

/** @param {number} since */
export function formatSeconds(since) {
  return `${Math.max(1, Math.round((performance.now() - since) / 1000))} s`;
}

/** With the npm that started this script. */
function installPackages() {
  const npm = process.env['npm_execpath'];
  const args = ['ci', '--no-audit', '--no-fund'];
  // npm passes this setting of the user on as a variable, and then refuses it there.
  const options = { cwd: projectFolder, environment: { npm_config_allow_scripts: undefined } };
  if (npm !== undefined && /\.[cm]?js$/.test(npm)) return runChild(process.execPath, [npm, ...args], options);
  return runChild('npm', args, options);
}
