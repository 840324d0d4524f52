// The response as JSON beside the chart: one Tab stop, and a search that the chart follows.
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectShown, openApp } from '../open-app.ts';

it('is one Tab stop, whose lines the arrow keys walk, fold, and unfold', async () => {
  openApp({ hash: '#/forecast?tab=json' });
  const lines = page.getByRole('region', { name: 'The response as JSON' });
  await expectShown(lines.getByText('// point 0'));
  (lines.element() as HTMLElement).focus();
  await userEvent.tab();
  expect(lines.element().contains(document.activeElement)).toBe(false);
  await userEvent.tab({ shift: true });
  expect(document.activeElement).toBe(lines.element());
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowLeft}');
  await expect.element(lines.getByRole('button', { name: 'Unfold $.objects[0].weather', exact: true })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(lines.getByRole('button', { name: 'Fold $.objects[0].weather', exact: true })).toHaveFocus();
});

it('marks what the search finds, and moves the cursor to the point of the next match', async () => {
  const { store } = openApp({ hash: '#/forecast?tab=json' });
  await expectShown(page.getByText('// point 0'));
  const field = page.getByRole('textbox', { name: 'Find in the JSON' });
  await field.fill('TEMPERATURE');
  const marks = () => [...document.querySelectorAll('mark')].map(({ textContent }) => textContent);
  await expect.poll(marks).toContain('temperature');
  await page.getByRole('button', { name: 'Next match' }).click();
  await page.getByRole('button', { name: 'Next match' }).click();
  expect(store.getState().forecast.cursor).toBe(2);
  await expectShown(page.getByText('// point 2'));
  // The chart has a tick at each point with a match: two are stormy.
  const ticks = () => document.querySelector('[data-hits]')?.getAttribute('d')?.match(/M/g)?.length;
  await field.fill('"stormy"');
  await expect.poll(ticks).toBe(2);
  await userEvent.keyboard('{Escape}');
  await expect.poll(ticks).toBeUndefined();
});
