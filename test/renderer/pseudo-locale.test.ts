// The screens in a pseudo-locale: what users read has accents, so it came from the catalog, and no layout breaks with texts that
// are 40 % longer.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type Screen, screenTitles } from '#renderer/store/screens.ts';
import { buildPseudoLocale, toPseudoLocale } from '#test/setup/pseudo-locale.ts';
import { layoutProblems } from './layout-problems.ts';
import { openScreens } from './screen-harness.ts';

// A browser on a busy machine is slow.
vi.setConfig({ testTimeout: 240_000 });

const folder = mkdtempSync(join(tmpdir(), 'rainbell-pseudo-locale-'));
beforeAll(() => buildPseudoLocale(folder));
afterAll(() => rmSync(folder, { recursive: true }));

/** What stays as it is in every language. */
const names = [
  // Names: of products, protocols, formats, licenses, and what this test creates.
  /\b(?:Rainbell|Sandbox|JSON|NDJSON|CSV|HAR|cURL|HTTPS?|UTC|CORS|CC BY 4\.0|ODbL 1\.0|NLOD 2\.0|METAR|Torino, Italy|open-meteo)\b/g,
  // Days, months, and zones as Intl writes them.
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?\b/g,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?\b/g,
  /\b(?:CES?T|Europe\/Rome|en-[A-Z]{2})\b/g,
  // Units, with or without their number.
  /(?<![a-z])(?:mm|in|hPa|inHg|km\/h|m\/s|mph|kn|[kMG]?B|ms|s|min|h|d|km|AM|PM)(?![a-z])/g,
  // The weather's conditions and sources as the interface names them.
  /\b(?:clear|cloudy|foggy|hailing|moon|partly|rainy|snow flurries|snowy|stormy|sunny|windy)\b/g,
  // Addresses, paths, and IDs.
  /https?:\/\/\S+|(?:\/[\w-]+)+\/?\S*|\b[\w-]+(?:\.[\w-]+)+(?::\d+)?\b|\b\w+_\w+\b/g,
];

/** Texts of the page without accents, apart from `names` and what services and senders wrote. */
async function plainTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const written =
      'script, style, noscript, code, pre, kbd, bdi, [dir], [lang], .rb-mono, textarea, article, [translate="no"]';
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement && !node.parentElement.closest(written)) found.add(node.textContent ?? '');
    for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder', 'title'])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (!element.closest('.rb-mono, code, pre, [translate="no"]')) found.add(element.getAttribute(name) ?? '');
    return [...found];
  });
  return texts.filter((text) => /[a-z]{2}/i.test(names.reduce((rest, name) => rest.replaceAll(name, ' '), text)));
}

const monitors = ['1048', '1049', '1050'].map((id, index) => ({
  id: `precipitation_${id}`,
  monitor_type: 'precipitation',
  geo: { type: 'Point', coordinates: [7.6869 + index, 45.0703 - index] },
  callback_uri: `https://callbacks.operations.example.net/hooks/precipitation/${id}`,
}));

async function open(screen: Screen) {
  const opened = await openScreens({
    folder,
    routes: { 'GET /v2/monitors/': () => ({ body: { objects: monitors, meta: {} } }) },
  });
  const { page, receiverUrl } = opened;
  onTestFinished(() => page.setViewportSize({ width: 1280, height: 900 }));
  const base = await receiverUrl();
  for (const body of [JSON.stringify(monitors[0]), '{}']) await fetch(`${base}/hooks/first`, { method: 'POST', body });
  await page.getByRole('slider').waitFor();
  await page.evaluate((hash) => void (location.hash = hash), `#/${screen}`);
  const title = toPseudoLocale(screenTitles[screen]);
  await page.locator('h1').filter({ hasText: title }).waitFor({ state: 'attached' });
  if (screen === 'callbacks' || screen === 'traffic')
    await page.getByRole('listbox').getByRole('option').first().click();
  if (screen === 'monitors')
    await page.getByRole('button', { name: 'precipitation_1048', exact: true }).first().click();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return opened;
}

/** Those whose texts are all in the catalog so far. */
const screens: readonly Screen[] = ['forecast', 'help'];

it.for(screens)('shows only texts of the catalog on %s, and has room for longer ones', async (screen) => {
  const { page, complaints } = await open(screen);
  expect.soft(await plainTexts(page)).toEqual([]);
  for (const width of [1280, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect.soft(await layoutProblems(page), `${width} wide`).toEqual([]);
    if (process.env['PSEUDO_PICTURES'])
      await page.screenshot({ path: `${process.env['PSEUDO_PICTURES']}/${screen}-${width}.png` });
  }
  expect(complaints).toEqual([]);
});
