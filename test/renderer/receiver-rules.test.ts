// The receiver's rules: the one-line notation, and the dialog over a real receiver.
import { describe, expect, it, vi } from 'vitest';
import { readSteps, writeSteps } from '#renderer/features/rules/step-notation.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens } from './screen-harness.ts';

// A browser on a busy machine is slow, and axe looks at every element.
vi.setConfig({ testTimeout: 60_000 });

const plain = { body: '', headers: [] as [string, string][] };

describe('a sequence of answers in one line', () => {
  it('is read and written back the same', () => {
    const text = '500, 503 after 2 s, close, reset after 250 ms, 200';
    const read = readSteps(text, plain);
    expect(read.ok && writeSteps(read.steps)).toBe(text);
  });

  it.each([
    ['', 'at least one answer'],
    ['200, maybe', '“maybe” is no answer'],
    ['700', '200 to 599'],
    ['200 after 61 s', 'at most 60 s'],
  ])('such as "%s" is refused with words', (text, words) => {
    const read = readSteps(text, plain);
    expect(read.ok ? 'accepted' : read.problem).toContain(words);
  });
});

describe('the dialog', () => {
  it('makes the receiver answer 500, 500, 200, and shows it in the list', async () => {
    const { page, core } = await openScreens({ hash: '#/callbacks' });
    await page.getByRole('button', { name: 'Answers 200' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: '1 rule' }).waitFor();
    await expect.poll(() => core.core.status().receiver.state).toBe('listening');
    const { baseUrl } = core.core.status().receiver;
    const answers = [];
    for (let index = 0; index < 4; index++)
      answers.push((await fetch(`${baseUrl}/hooks/a`, { method: 'POST', body: '{}' })).status);
    expect(answers).toEqual([500, 500, 200, 200]);
    await page.getByText('4 kept').waitFor();
    // A row shows its status once the response has been sent.
    await expect.poll(() => page.getByRole('option').filter({ hasText: '500' }).count()).toBe(2);
  });

  it('pauses the receiver, and names what is wrong in a rule', async () => {
    const { page, receiverUrl } = await openScreens({ hash: '#/callbacks' });
    await page.getByRole('button', { name: 'Answers 200' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('hooks');
    await page.getByText('Paused, answers 503').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Begins with / and may end with *').waitFor();
    await page.getByRole('button', { name: 'Remove Rule 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Paused: 503' }).waitFor();
    expect((await fetch(`${await receiverUrl()}/x`)).status).toBe(503);
  });
});
