// The first round of every bench, as small as it can be and without other people's servers: so a text or a name that a bench waits
// for cannot change without it.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, shellPath, shortLived } from '#test/setup/browser.ts';
import type { Bench } from './bench-row.ts';
import { benches } from './benches.ts';
import { openScreens, type Screens } from './screen-host.ts';

let screens: Screens;
beforeAll(async () => {
  screens = await openScreens(20, () => launchBrowser({ executablePath: shellPath() }, shortLived));
});
afterAll(() => screens.stop());

describe('the benches', () => {
  it.each(benches)('%s measures its rows', async (name) => {
    const { bench } = (await import(`./${name}.bench.ts`)) as { bench: Bench };
    const rows = await bench({ extent: 'trial', say: () => {}, screens });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      expect(row).toSatisfy(({ verdict, ratio }) => verdict === 'not here' || Number.isFinite(ratio));
  });

  it('print the rows of one that runs in a process of its own', async () => {
    const program = fileURLToPath(new URL('./main.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'cold-cell', '--quick']);
    expect(stdout).toMatch(/6 +weather, cold cell.+(reached|missed)/);
  });
});
