// Reports what to do if the project's own Node 24 was left out of the installation. npm scripts run it as `node`, unless
// `--ignore-scripts` kept its package from installing the program; then the machine's own Node runs, without a warning.

export const ownMajor = 24;

/** Ends the process with a sentence unless it runs on Node 24 or newer. */
export function requireNode24() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= ownMajor) return;
  console.error(
    `Rainbell needs Node ${ownMajor}, which its packages include, but this is Node ${process.versions.node}. ` +
      'Either the script was started without npm (use "npm start" or "npm test"), or the packages were installed with ' +
      '--ignore-scripts, so the project\'s Node is missing: run "npm ci --ignore-scripts=false" and try again.',
  );
  process.exit(1);
}
