// What strangers send to the receiver, and what a service answers: the page stays usable, shows what is really there, and keeps every
// byte. Limits are of work, not of time, so a busy machine changes nothing: what is long is read in a
// worker, and the page has few elements. How quickly they open: test/bench/viewers.bench.ts.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { base64Of } from '#renderer/viewers/body-text.ts';
import { expectGone, expectShown, forecastOf, openApp } from '../open-app.ts';
import { copiedBy } from '../saved-file.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { openCallbacks } from './stored-callbacks.ts';

const mostElements = 8_000;
const elements = () => document.querySelectorAll('*').length;
const detail = page.getByRole('region', { name: 'Callback', exact: true });
const body = page.getByRole('region', { name: 'Body', exact: true });
const button = (name: string | RegExp) => page.getByRole('button', { name });

let workers = 0;
beforeEach(() => {
  const Whole = globalThis.Worker;
  workers = 0;
  vi.stubGlobal(
    'Worker',
    class extends Whole {
      constructor(...options: ConstructorParameters<typeof Worker>) {
        super(...options);
        workers += 1;
      }
    },
  );
});
afterEach(() => void vi.unstubAllGlobals());

/** The page has no character that hides or reorders others. */
function expectNothingHidden(): void {
  expect(document.body.textContent).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/);
}

const base64OfBytes = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
const json = 'application/json';
it('opens any body of a stranger with few elements, reading what is long in a worker', async () => {
  const bodies = Object.entries(hostileBodies());
  openCallbacks(
    bodies.map(([name, { headers, bytes }]) => ({
      target: `/hooks/${name}`,
      headers: Object.entries(headers),
      bodyBase64: base64OfBytes(bytes),
    })),
  );
  for (const [name, { bytes, shows }] of bodies) {
    const before = workers;
    await page
      .getByRole('option', { name: `/hooks/${name}` })
      .first()
      .click();
    await expectShown(detail.getByRole('heading', { name: `/hooks/${name}` }));
    await expectShown(detail.getByText(shows).first());
    expect.soft(elements(), `elements of ${name}`).toBeLessThan(mostElements);
    expect.soft(workers > before, `a worker for ${name}`).toBe(bytes.length > 12_000);
  }
});

it('shows a body to its end by scrolling and "Show more", copies it to the letter, and does not edit it', async () => {
  const text = JSON.stringify(
    Array.from({ length: 7_000 }, (_, index) => ({ index })),
    null,
    2,
  );
  openCallbacks([{ body: text }]);
  await page.getByRole('option').first().click();
  await expectShown(body.getByText('"index"').first());
  // Rows above are measured as they come into view, and move the end.
  const atEnd = () => {
    body.element().scrollTo({ top: body.element().scrollHeight });
    return body.getByText('6999').length;
  };
  await expect.poll(atEnd).toBe(1);
  expect(elements()).toBeLessThan(mostElements);
  await page.getByText('Text', { exact: true }).click();
  for (const lines of ['5,000', '10,000', '15,000', '20,000']) {
    await expectShown(page.getByText(`Showing the first ${lines} lines.`));
    await button('Show more').click();
  }
  await expectGone(button('Show more'));
  body.element().scrollTo({ top: body.element().scrollHeight });
  await expectShown(body.getByText('"index": 6999'));
  expect(elements()).toBeLessThan(mostElements);
  expect(await copiedBy('Copy the body')).toBe(text);
  await button('Replay').click();
  await page.getByText('Edit first', { exact: true }).click();
  await expectShown(page.getByText(/^The body \([\d.]+ kB\) is too large to edit here/));
});

it('shows hidden and reordering characters as escapes in list, headers, body, text, and raw request', async () => {
  const text = '{"id":"\u202Ex","file":"annex\u202Etxt.exe","zero":"a\u200Bb"}';
  const head = { base64: base64Of(`POST /bidi HTTP/1.1\r\nx-name: \u202Eevil\r\n\r\n`), isExact: true };
  const event = { kind: 'event', isMonitorOwn: true, monitorId: '\u202Ex' } as const;
  openCallbacks([
    {
      target: '/bidi',
      headers: [
        ['content-type', json],
        ['x-name', '\u202Eevil'],
      ],
      head,
      body: text,
      ...event,
    },
  ]);
  await page.getByRole('option').first().click();
  await expectShown(page.getByRole('option').getByText('\\u202Ex'));
  await expectShown(body.getByText('"annex\\u202Etxt.exe"'));
  await expectShown(body.getByText('"a\\u200Bb"'));
  expectNothingHidden();
  await page.getByText(/^Headers \d+$/).click();
  await expectShown(page.getByRole('table').getByText('evil'));
  expectNothingHidden();
  await page.getByText('Body', { exact: true }).click();
  await page.getByText('Text', { exact: true }).click();
  await expectShown(body.getByText('annex\\u202Etxt.exe'));
  expectNothingHidden();
  await page.getByText('Raw', { exact: true }).click();
  await expectShown(page.getByRole('region', { name: 'Raw request' }).getByText('annex\\u202Etxt.exe'));
  expectNothingHidden();
  expect(await copiedBy('Copy the request')).toContain(text);
});

it('keeps list and detail small with a long path and 2,000 headers, all of which can be copied', async () => {
  const headers = Array.from({ length: 2_000 }, (_, index) => [index.toString(36), '1'] satisfies [string, string]);
  openCallbacks([{ target: `/hooks/long?${'q'.repeat(2_500)}`, headers }]);
  const option = page.getByRole('option').first();
  await option.click();
  expect(option.element().textContent.length).toBeLessThan(1_000);
  await button(/^Show more \(2,\d+ characters\)/).click();
  await expectGone(button(/^Show more/));
  await page.getByText('Headers 2000', { exact: true }).click();
  await expectShown(page.getByRole('table', { name: 'Headers' }).getByText('0', { exact: true }).first());
  expect(elements()).toBeLessThan(2_000);
  const copied = (await copiedBy('Copy: headers')).split('\n');
  expect(copied).toHaveLength(2_000);
  expect(copied.at(-1)).toBe('1jj: 1');
});

it('compares two bodies of 700 kB, of which all between the common ends is shown as replaced', async () => {
  const item = (index: number, later = 0) => ({
    id: `precipitation_${index}`,
    at: 1_763_000_000 + index + later,
    note: 'rain',
  });
  const indexes = [...Array(9_000).keys()];
  openCallbacks([
    { body: JSON.stringify(indexes.map((index) => item(index))) },
    { body: JSON.stringify(indexes.map((index) => item(index, index % 3 === 0 ? 1_000_000 : 0))) },
  ]);
  await expect.poll(() => page.getByRole('option').length).toBe(2);
  (page.getByRole('listbox').element() as HTMLElement).focus();
  await userEvent.keyboard('{Home} {ArrowDown} ');
  await page.getByRole('toolbar', { name: 'Selected callbacks' }).getByRole('button', { name: 'Compare' }).click();
  // Each body has 45,002 lines: the first 3 are equal, and the last 13.
  await expectShown(page.getByText('89,972 lines differ.'));
  expect(workers).toBeGreaterThan(0);
  await expectShown(page.getByText('Too many differences to compare every line'));
  await expectShown(page.getByRole('region', { name: 'Differences' }).getByText('1763000000'));
  const copied = (await copiedBy('Copy the differences')).split('\n');
  expect(copied.filter((line) => line.startsWith('- '))).toContain('-     "at": 1763000000,');
  expect(elements()).toBeLessThan(mostElements);
});

it('shows hidden characters and piled marks of a forecast as escapes in its inspector, and two megabytes in part', async () => {
  const filler = 'x'.repeat(2_000_000);
  const forecast = forecastOf({
    change: (point, index) => (index === 2 ? { odd: `\u202Eevil${'\u0301'.repeat(50_000)}`, ...point, filler } : point),
  });
  openApp({ stubs: { forecast: { get: () => forecast } } });
  await button('Inspect').click();
  await button('More JSON actions').click();
  await button('Show as received').click();
  await expectShown(page.getByRole('region', { name: 'The response as received' }).getByText('\\u202Eevil').first());
  await expectShown(page.getByText(/Showing the first [\d,]+ characters of one line/));
  expectNothingHidden();
  await button('More JSON actions').click();
  await button('Show formatted').click();
  page.getByRole('slider').element().focus();
  await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}');
  const json = page.getByRole('region', { name: 'The response as JSON' });
  await expectShown(json.getByText('\\u202Eevil').first());
  expect(json.element().textContent.length).toBeLessThan(200_000);
  expect(elements()).toBeLessThan(mostElements);
});
