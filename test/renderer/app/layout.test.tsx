// The layout of every screen from the smallest to a wide window: nothing overlaps, nothing is cut off, nothing leaves the window.
import { expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { features } from '#renderer/app/app-store.ts';
import { colorRules, openQuestions, turnTheme } from '../axe.ts';
import { goTo, monitors, openFilledApp, settle } from '../filled-app.ts';
import { expectShown } from '../open-app.ts';
import { findLayoutProblems } from '../layout-problems.ts';

const sizes = [
  [2560, 1440],
  [1440, 900],
  [1280, 800],
  [1024, 700],
  [800, 600],
  [640, 800],
  // Electron's smallest window (electron/screens/screen-windows.ts), and 1280 × 800 that is zoomed to 200%.
  [640, 400],
] as const;

/** The rules of axe by the window's size, all of them at one: the width changes only what overlaps, scrolls, and is covered. */
const rulesAt: Readonly<Record<string, readonly string[]>> = {
  '640x800': ['color-contrast', 'target-size', 'scrollable-region-focusable'],
  '1440x900': [],
};

const screens = features.flatMap((feature) => feature.screen?.name ?? []);

it.each(screens)(
  '%s is laid out soundly in every window, and passes axe at two sizes and in both themes',
  async (screen) => {
    openFilledApp();
    await goTo(screen);
    if (screen === 'forecast') await expectShown(page.getByRole('slider'));
    if (['callbacks', 'events', 'traffic'].includes(screen))
      await page.getByRole('listbox').getByRole('option').first().click();
    if (screen === 'monitors')
      await page
        .getByRole('button', { name: monitors[0]?.id ?? '', exact: true })
        .first()
        .click();
    await document.fonts.ready;
    const found: Record<string, readonly string[]> = {};
    const note = (name: string, problems: readonly string[]) => {
      if (problems.length > 0) found[name] = problems;
    };
    // Also of a size that changes again with each frame, because it follows its own content.
    const errors: string[] = [];
    const noteError = ({ message }: ErrorEvent) => void errors.push(message);
    window.addEventListener('error', noteError);
    onTestFinished(() => window.removeEventListener('error', noteError));
    for (const [width, height] of sizes) {
      await page.viewport(width, height);
      await settle();
      const name = `${width}x${height}`;
      note(name, findLayoutProblems());
      const rules = rulesAt[name];
      if (rules) note(`${name}, axe`, await openQuestions(rules));
    }
    await turnTheme();
    await page.viewport(1440, 900);
    await settle();
    note('errors', errors);
    note('in the dark', await openQuestions(colorRules));
    expect(found).toEqual({});
  },
);

it('has panes that are resized by keys and by mouse, remember their size, and go back with a double click', async () => {
  openFilledApp('#/callbacks');
  await page.getByRole('option').first().click();
  const handle = page.getByRole('separator', { name: 'Callback pane size' });
  const share = () => Number(handle.element().getAttribute('aria-valuenow'));
  await expectShown(handle);
  handle.element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(share).toBe(43);
  await userEvent.dragAndDrop(handle, page.getByRole('region', { name: 'Verdict' }));
  await expect.poll(share).not.toBe(43);
  const dragged = share();
  await goTo('traffic');
  await goTo('callbacks');
  await expect.poll(share).toBe(dragged);
  await handle.dblClick();
  await expect.poll(share).toBe(45);
});
