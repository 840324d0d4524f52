// `npm run package`: builds the screens and the main process, and packages them for this system into release/.
import { build } from 'electron-builder';
import { freshBuild } from './fresh-build.mjs';
import { requireNode24 } from './node-version.mjs';
import { packaging } from './packaging.mjs';
import { projectFolder } from './tool.mjs';

requireNode24();
const problem = await freshBuild();
if (problem === undefined) {
  console.log(await build({ projectDir: projectFolder, config: packaging }));
} else {
  console.error(problem);
  process.exitCode = 1;
}
