// `npm run test:electron`: test/electron on Electron's own binary, which --required demands. `npm test` runs it on the double.
import { findElectron, hasDisplay } from './electron-binary.mjs';
import { freshBuild } from './fresh-build.mjs';
import { requireNode } from './node-version.mjs';
import { runTool } from './tool.mjs';

requireNode();
const missing =
  findElectron() === undefined
    ? 'Electron\'s binary was not found; "npm start -- --electron" downloads it'
    : hasDisplay()
      ? undefined
      : 'there is no display; on Linux, "xvfb-run npm run test:electron" provides one';

if (missing === undefined) {
  const problem = await freshBuild();
  if (problem !== undefined) console.error(problem);
  const environment = { RAINBELL_TEST_ELECTRON: 'real' };
  const tests =
    problem === undefined && (await runTool('vitest', ['run', 'test/electron'], { loud: true, environment }));
  process.exitCode = tests && tests.code === 0 ? 0 : 1;
} else if (process.argv.includes('--required')) {
  console.error(`error: ${missing}.`);
  process.exitCode = 1;
} else {
  console.log(`Skipped: ${missing}.`);
}
