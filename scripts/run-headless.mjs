// Runs the headless host until it ends.
import { runChild } from './child.mjs';
import { headlessEnvironment, headlessFlags } from './headless-node.mjs';
import { projectFolder } from './tool.mjs';

/** Returns the exit code. @param {readonly string[]} args */
export async function runHeadless(args) {
  const entry = [...headlessFlags, 'scripts/run.cjs', 'headless/main.ts'];
  const ending = await runChild(process.execPath, [...entry, ...args], {
    cwd: projectFolder,
    environment: headlessEnvironment,
  });
  return ending.isInterrupted ? 0 : ending.code;
}
