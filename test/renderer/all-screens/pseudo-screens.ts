// The built screens in the pseudo-locale, and what tests look for in them: texts that are not from the catalog, and layouts that
// have no room for longer texts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import PO from 'pofile';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type Screen, screenTitles } from '#renderer/store/screens.ts';
import { catalogFile } from '#scripts/messages.mjs';
import { buildPseudoLocale, toPseudoLocale } from '#test/setup/pseudo-locale.ts';
import { layoutProblems } from '../layout-problems.ts';
import { openScreens } from '../screen-harness.ts';

/** What stays as it is in every language. */
const names = [
  // The form of a certificate, and of a secret.
  /-----BEGIN CERTIFICATE-----|\bwhsec_…/g,
  // Zones, and backups by their time.
  /\b[A-Z]\w+(?:\/[\w+-]+)+|\brainbell-[\dT-]+/g,
  // Of the core, within a text of the screens: a step of its log.
  /127\.0\.0\.1:\d+ responded with \d+/g,
  // Names: of products, protocols, formats, licenses, keys, and what these tests create.
  /\b(?:Rainbell|Sandbox|Staging|JSON|NDJSON|JSONL|CSV|HAR|cURL|HTTPS?|HTTPie|PKCE|PATCH|PUT|POST|JWT|GET|DELETE|HEAD|OPTIONS|URL|API|fetch|Python|Open-Meteo|UK|US|UTC|CORS|CC BY 4\.0|ODbL 1\.0|NLOD 2\.0|METAR|in memory|Torino|Turin|Genoa|Capraia Isola|Italy|open-meteo)\b/g,
  // Days, months, and zones as Intl writes them.
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?\b/g,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?\b/g,
  /\b(?:CES?T|Europe\/Rome|en-[A-Z]{2})\b/g,
  // Units, with or without their number.
  /(?<![a-z])(?:mm|inHg|in|hPa|km\/h|m\/s|mph|kn|[kMG]?B|ms|s|min|h|d|km|AM|PM)(?![a-z])/g,
  // The weather's conditions and sources as the interface names them.
  /\b(?:clear|cloudy|foggy|hailing|moon|partly|rainy|snow flurries|snowy|stormy|sunny|windy)\b/g,
  // Members of JSON.
  /"\w+"/g,
  // Types of content.
  /\b[a-z]+\/[a-z]+;charset=[\w-]+/g,
  // Addresses, paths, and IDs.
  /https?:\/\/\S+|\S+@\S+|(?:\/[\w-]+)+\/?\S*|\b[\w-]+(?:\.[\w-]+)+(?::\d+)?\b|\b\w+_\w+\b/g,
];

/** Texts of the core, which runs in English here: they are in the catalog, too. */
const coreTexts = PO.parse(readFileSync(catalogFile, 'utf8'))
  .items.filter(({ references }) => references.some((file) => file.startsWith('core/')))
  .flatMap(({ msgid, msgid_plural: plurals }) => (plurals ? [msgid, plurals] : [msgid]))
  .filter((text) => /\p{L}{2}/u.test(text))
  .map(
    (text) =>
      new RegExp(
        `^${text
          .split(/\{\w+\}|#/)
          .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
          .join('.+')}$`,
        'su',
      ),
  );

/** Texts of the page without accents, apart from `names` and what services and senders wrote. */
async function plainTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const written =
      'script, style, noscript, code, pre, kbd, bdi, [dir], [translate="no"], .rb-mono, textarea, article';
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement && !node.parentElement.closest(written)) found.add(node.textContent ?? '');
    for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder', 'title'])
      for (const element of document.querySelectorAll(`[${name}]`))
        // A library measures the height of a text in a hidden field with a name of its own.
        if (!element.closest('.rb-mono, code, pre, article, [translate="no"], textarea[aria-hidden]'))
          found.add(element.getAttribute(name) ?? '');
    return [...found];
  });
  return texts.filter(
    (text) =>
      /[a-z]{2}/i.test(names.reduce((rest, name) => rest.replaceAll(name, ' '), text)) &&
      !coreTexts.some((pattern) => pattern.test(text)),
  );
}

/** What is wrong with what the page shows now, at two widths. `PSEUDO_PICTURES` names a folder for pictures of it. */
export async function translationProblems(page: Page, name: string): Promise<readonly string[]> {
  const found = (await plainTexts(page)).map((text) => `Not from the catalog: ${text}`);
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    // Lists fit their columns some frames after the window's size; what is broken stays broken.
    let problems: readonly string[] = [];
    await expect
      .poll(async () => (problems = await layoutProblems(page)))
      .toEqual([])
      .catch(() => undefined);
    found.push(...problems.map((problem) => `${width} wide: ${problem}`));
    const pictures = process.env['PSEUDO_PICTURES'];
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}-${width}.png` });
  }
  return found;
}

const monitors = ['1048', '1049', '1050'].map((id, index) => ({
  id: `precipitation_${id}`,
  monitor_type: 'precipitation',
  geo: { type: 'Point', coordinates: [7.6869 + index, 45.0703 - index] },
  callback_uri: `https://callbacks.operations.example.net/hooks/precipitation/${id}`,
}));

/** Builds the screens before the tests of a file; returns how to open them with monitors and callbacks. */
export function preparePseudoScreens() {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-pseudo-locale-'));
  beforeAll(() => buildPseudoLocale(folder));
  afterAll(() => rmSync(folder, { recursive: true }));
  return async (
    screen: Screen,
    { objects = monitors, ...options }: { objects?: readonly object[] } & Parameters<typeof openScreens>[0] = {},
  ) => {
    const { routes, ...others } = options;
    const opened = await openScreens({
      folder,
      ...others,
      routes: { 'GET /v2/monitors/': () => ({ body: { objects, meta: {} } }), ...routes },
    });
    const { page, receiverUrl } = opened;
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 900 }));
    const base = await receiverUrl();
    for (const body of [JSON.stringify(monitors[0]), '{}'])
      await fetch(`${base}/hooks/first`, { method: 'POST', body });
    await page.getByRole('slider').waitFor();
    const goTo = async (wanted: Screen) => {
      await page.evaluate((hash) => void (location.hash = hash), `#/${wanted}`);
      const title = toPseudoLocale(screenTitles[wanted]);
      await page.locator('h1').filter({ hasText: title }).waitFor({ state: 'attached' });
    };
    await goTo(screen);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    return { ...opened, goTo };
  };
}
