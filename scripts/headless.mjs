// `npm run headless`: builds what is older than its sources, then serves the screens to a browser. All arguments go to headless/main.ts.
import { prepareFirstStart } from './first-start.mjs';
import { freshBuild } from './fresh-build.mjs';
import { requireNode } from './node-version.mjs';
import { runHeadless } from './run-headless.mjs';

const args = process.argv.slice(2);

/** Standard output is only for the URL (`--json`). @param {string} sentence */
const tell = (sentence) => console.error(sentence);

async function start() {
  const code = await prepareFirstStart('scripts/headless.mjs', args, tell);
  if (code !== undefined) return code;
  requireNode();
  // Other screens than those built here, or none.
  const needsBuild = !process.env['RAINBELL_SCREENS'] && !args.includes('--help');
  const problem = needsBuild ? await freshBuild(tell) : undefined;
  if (problem !== undefined) {
    tell(problem);
    return 1;
  }
  return runHeadless(args);
}

process.exitCode = await start();
