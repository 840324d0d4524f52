// What a user does who has no mouse.
import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Moves the focus by Tab, as often as it takes, to the control of that name. One that is still loading is waited for. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  let passed: string[] = [];
  const goesRound = async () => {
    passed = [];
    for (let step = 0; step < 150; step += 1) {
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement)) return '';
        const label = 'labels' in element ? (element as HTMLInputElement).labels?.[0]?.innerText : undefined;
        return element.ariaLabel ?? label ?? element.innerText;
      });
      if (name.test(focused.trim())) return true;
      passed.push(focused.trim().slice(0, 40));
      await page.keyboard.press('Tab');
    }
    return false;
  };
  try {
    await expect.poll(goesRound).toBe(true);
  } catch {
    throw new Error(`Tab does not reach ${name}. It passes: ${[...new Set(passed)].join(' | ')}`);
  }
}

/** Runs the command that the palette puts first for a text. */
export async function runFromPalette(page: Page, text: string, title: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
  const palette = page.getByRole('dialog', { name: 'Commands and places' });
  const chosen = palette.getByRole('option', { selected: true });
  await expect.poll(() => chosen.textContent()).toMatch(title);
  await page.keyboard.press('Enter');
  // Ctrl+K would close one that is still open.
  await palette.waitFor({ state: 'detached' });
}

/** Opens the menu of that name and chooses an item by the arrow keys. */
export async function chooseItem(page: Page, menu: RegExp, item: RegExp): Promise<void> {
  await tabTo(page, menu);
  await page.keyboard.press('Enter');
  const focused = page.getByRole('menuitem').and(page.locator(':focus'));
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown');
      return focused.innerText();
    })
    .toMatch(item);
  await page.keyboard.press('Enter');
}
