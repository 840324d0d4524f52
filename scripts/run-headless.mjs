// Runs the headless host until it ends, as a bundle if `npm run build` left one that is as new as its sources.
import { runChild } from './child.mjs';
import { headlessEnvironment, headlessFlags } from './headless-node.mjs';
import { projectFolder } from './tool.mjs';

/**
 * Returns the exit code.
 * @param {readonly string[]} args
 */
export async function runHeadless(args) {
  const entry = [...headlessFlags, '--import', './scripts/quick-start.mjs', 'headless/main.ts'];
  const ending = await runChild(process.execPath, [...entry, ...args], {
    cwd: projectFolder,
    environment: headlessEnvironment,
  });
  return ending.isInterrupted ? 0 : ending.code;
}
