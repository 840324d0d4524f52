// `npm run fuzz [-- --minutes 5]`: runs the property-based tests repeatedly, each round with a different seed. Ends with the
// first round that fails, and prints the seed that reproduces the failure.
import { glob, readFile } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { requireNode } from './node-version.mjs';
import { failWithUsage, readToolOptions } from './tool-options.mjs';
import { projectFolder, runTool } from './tool.mjs';

requireNode();
const usage = `Usage: npm run fuzz [-- --minutes N]

Run the property-based tests repeatedly, each round with a different seed, until one fails

Options:
  --minutes N  duration, up to 600 (default: 5)
  -h, --help   print this help

Examples:
  npm run fuzz -- --minutes 30

Exit codes:
  0  no test failed
  1  a test failed; prints the seed that reproduces the failure
  2  invalid arguments`;

const { values } = readToolOptions(usage, { minutes: { type: 'string', default: '5' } });
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 600)) failWithUsage(usage, '--minutes must be a number above 0 and at most 600');

/** @type {string[]} */
const files = [];
for await (const file of glob('test/**/*.test.ts', { cwd: projectFolder })) {
  const text = await readFile(`${projectFolder}${file}`, 'utf8');
  // Those that open screens spend their time on the browser, not on properties.
  if (text.includes("'#test/property-seed.ts'") && !text.includes('openScreens')) files.push(file);
}
const end = performance.now() + minutes * 60_000;
let rounds = 0;
while (performance.now() < end) {
  const seed = String(randomInt(2 ** 31));
  const { code, output } = await runTool('vitest', ['run', ...files], {
    environment: { RAINBELL_PROPERTY_SEED: seed },
  });
  rounds += 1;
  if (code !== 0) {
    console.log(output.trimEnd());
    console.error(`Failed in round ${rounds}. Reproduce it with: RAINBELL_PROPERTY_SEED=${seed} npx vitest run`);
    process.exit(1);
  }
  console.log(`round ${rounds}: ${files.length} files passed with seed ${seed}`);
}
