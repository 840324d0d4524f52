// A screenshot compared with the committed picture. On one version of Chromium, two runs differ by no pixel; a few may differ,
// more may not, and then the actual picture and the difference are in a folder that the failure names. `npm run expectations` makes
// the pictures again; look at them before you commit them.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { Locator } from 'playwright';

const folder = fileURLToPath(new URL('./expectations/', import.meta.url));
/** Of pixelmatch: it notices 8 of 256 shades, twice what is lost as pictures are written (`written`). */
const colourTolerance = 0.03;
/** Pixels: less than a digit of the smallest text. */
const mostDifferent = 20;

/** Returns a message about the difference, or undefined if both show the same. */
export function pictureProblem(expected: PNG, actual: PNG): { words: string; difference?: PNG } | undefined {
  const [was, is] = [`${expected.width}×${expected.height}`, `${actual.width}×${actual.height}`];
  if (was !== is) return { words: `is ${is} pixels large instead of ${was}` };
  const { width, height } = expected;
  const difference = new PNG({ width, height });
  const count = pixelmatch(expected.data, actual.data, difference.data, width, height, {
    threshold: colourTolerance,
    includeAA: true,
  });
  if (count <= mostDifferent) return undefined;
  return { words: `differs in ${count} of ${width * height} pixels`, difference };
}

/** Throws what differs; with UPDATE_EXPECTATIONS=1 it writes the picture instead. */
export async function expectPicture(element: Locator, name: string): Promise<void> {
  const actual = await settledPicture(element);
  const file = join(folder, `${name}.png`);
  if (process.env['UPDATE_EXPECTATIONS'] === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, written(actual));
    return;
  }
  if (!existsSync(file)) throw new Error(`There is no picture ${name}.png yet: "npm run expectations" makes it.`);
  const expected = PNG.sync.read(readFileSync(file));
  const problem = pictureProblem(expected, actual);
  if (!problem) return;
  const place = mkdtempSync(join(tmpdir(), 'rainbell-picture-'));
  writeFileSync(join(place, `${name}-actual.png`), written(actual));
  if (problem.difference) writeFileSync(join(place, `${name}-difference.png`), PNG.sync.write(problem.difference));
  const version = element.page().context().browser()?.version() ?? 'unknown';
  throw new Error(
    `The picture ${name} ${problem.words} (Chromium ${version}). Look into ${place}; if the change is meant, run "npm run expectations" and commit the picture.`,
  );
}

/** Every eighth shade is enough for the eye and for the comparison, and takes a third of the room. */
function written(picture: PNG): Buffer {
  const small = new PNG({ width: picture.width, height: picture.height });
  small.data = Buffer.from(picture.data.map((shade) => Math.min(255, Math.round(shade / 8) * 8)));
  return PNG.sync.write(small, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 });
}

/** The first picture that is the same twice in a row: fonts and icons have arrived then. */
export async function settledPicture(element: Locator): Promise<PNG> {
  // Core loads the icons; until then their places are empty, which two pictures in a row may both show.
  await element.locator('[data-loading-icon]').first().waitFor({ state: 'detached' });
  let before = await element.screenshot({ animations: 'disabled' });
  for (let turn = 0; turn < 20; turn++) {
    const next = await element.screenshot({ animations: 'disabled' });
    if (next.equals(before)) return PNG.sync.read(next);
    before = next;
  }
  throw new Error('The screen does not come to rest: no two screenshots in a row were the same.');
}
