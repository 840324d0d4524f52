// `node scripts/try-package.mjs PROGRAM`: starts a packaged app with a fresh data folder and waits for the line that it prints when its
// window shows the app. The workflow .github/workflows/desktop.yml runs it; Playwright cannot attach, because the fuses forbid a debugger.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { readyLine } from './start-electron.mjs';
import { projectFolder } from './tool.mjs';

const [program] = process.argv.slice(2);
if (program === undefined) {
  console.error('error: missing PROGRAM\n\nUsage: node scripts/try-package.mjs PROGRAM');
  process.exit(2);
}
const data = mkdtempSync(join(tmpdir(), 'rainbell-package-'));
const ending = await runChild(program, ['--data', data], {
  cwd: projectFolder,
  readyLine,
  stopWhenReady: true,
});
rmSync(data, { recursive: true, force: true, maxRetries: 5 });
if (ending.isReady) {
  console.log(`${program} opened its window and exited with code ${ending.code}.`);
} else {
  console.error(`error: ${program} did not open its window (exit code ${ending.code}).\n${ending.errorOutput}`);
}
process.exit(ending.isReady && ending.code === 0 ? 0 : 1);
