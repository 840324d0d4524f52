// The receiver's rules: the one-line notation, and the dialog over a real receiver.
import { describe, expect, it } from 'vitest';
import { readSteps, writeSteps } from '#renderer/features/rules/step-notation.ts';
import { openScreens } from '../screen-harness.ts';

const plain = { body: '', headers: [] as [string, string][] };

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio, of two colors such as rgb(1, 2, 3). */
function contrast(texts: readonly string[]): number {
  const [darker = 0, lighter = 0] = texts
    .map((text) => {
      const [r = 0, g = 0, b = 0] = (text.match(/[\d.]+/g) ?? []).map((value) => {
        const part = Number(value) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    })
    .toSorted((one, other) => one - other);
  return (lighter + 0.05) / (darker + 0.05);
}

describe('a sequence of answers in one line', () => {
  it('is read and written back the same', () => {
    const text = '500, 503 after 2 s, close, reset after 250 ms, hold, hold for 300 s, 200';
    const read = readSteps(text, plain);
    expect(read.ok && writeSteps(read.steps)).toBe(text);
  });

  it.each([
    ['', 'at least one response'],
    ['200, maybe', '“maybe” is not a response'],
    ['700', '200 to 599'],
    ['200 after 61 s', 'at most 60 s'],
    ['hold for 11 min', '1 s to 10 min'],
  ])('such as "%s" is refused with words', (text, words) => {
    const read = readSteps(text, plain);
    expect(read.ok ? 'accepted' : read.problem).toContain(words);
  });
});

describe('the dialog', () => {
  it('makes the receiver answer 500, 500, 200, and shows it in the list', async () => {
    const { page, core } = await openScreens({ hash: '#/callbacks' });
    await page.getByRole('button', { name: 'Response rules: none' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Response rules: 1 on' }).waitFor();
    await expect.poll(() => core.core.status().receiver.state).toBe('listening');
    const { baseUrl } = core.core.status().receiver;
    const answers = [];
    for (let index = 0; index < 4; index++)
      answers.push((await fetch(`${baseUrl}/hooks/a`, { method: 'POST', body: '{}' })).status);
    expect(answers).toEqual([500, 500, 200, 200]);
    await page.getByText('4 stored').waitFor();
    // A row shows its status once the response has been sent.
    await expect.poll(() => page.getByRole('option').filter({ hasText: '500' }).count()).toBe(2);
  });

  it('pauses the receiver, and names what is wrong in a rule', async () => {
    const { page, receiverUrl } = await openScreens({ hash: '#/callbacks' });
    await page.getByRole('button', { name: 'Response rules: none' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('hooks');
    await page.getByText('Paused, responds with 503').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Start with /, for example').waitFor();
    await page.getByRole('button', { name: 'Remove Rule 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    const button = page.getByRole('button', { name: 'Response rules: paused, 503' });
    await button.waitFor();
    for (const theme of ['light', 'dark']) {
      await page.evaluate((scheme) => void (document.documentElement.dataset['mantineColorScheme'] = scheme), theme);
      const shown = button.evaluate((node) => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor]);
      // WCAG 2.2 SC 1.4.3.
      expect(contrast(await shown)).toBeGreaterThanOrEqual(4.5);
    }
    expect((await fetch(`${await receiverUrl()}/x`)).status).toBe(503);
  });

  it('holds a request until it is answered by hand', async () => {
    const { page, receiverUrl } = await openScreens({ hash: '#/callbacks' });
    await page.getByRole('button', { name: 'Response rules: none' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('textbox', { name: 'Responses', exact: true }).fill('hold for 10 min');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Response rules: 1 on' }).waitFor();
    const sent = fetch(`${await receiverUrl()}/hooks/a`, { method: 'POST', body: '{}' });
    const held = page.getByRole('region', { name: 'Held requests' });
    await held.getByText('1 request held, waiting for your response').waitFor();
    await held.getByRole('button', { name: 'Respond…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Respond to request 1' });
    await dialog.getByLabel('Status').fill('409');
    await dialog.getByLabel('Headers').fill('not a header');
    await dialog.getByRole('button', { name: 'Send response' }).click();
    await dialog.getByText('Line 1 is not a header').waitFor();
    await dialog.getByLabel('Headers').fill('Retry-After: 7');
    await dialog.getByLabel('Body').fill('busy');
    await dialog.getByRole('button', { name: 'Send response' }).click();
    const response = await sent;
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([409, '7', 'busy']);
    await held.waitFor({ state: 'detached' });
    await page.getByRole('option').filter({ hasText: '409' }).click();
    await page.getByText('Response 409').click();
    await page.getByText('Responded manually with 409 after').waitFor();
  });
});
