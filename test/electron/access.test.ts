// The Access screen in Electron, where the sign-in window is the app's own: the user chooses what it remembers
// (docs/tokens.md T6).
import { describe, expect, it } from 'vitest';
import { startRainbell } from './rainbell.ts';

describe('the Access screen', () => {
  it('lets the user keep or delete the browser session, and sign in as someone else (docs/tokens.md T6)', async () => {
    const rainbell = await startRainbell();
    const page = await rainbell.firstPage();
    await page
      .getByText(/Connected, application token: \d/)
      .first()
      .waitFor();
    await page.evaluate(() => void (location.hash = '#/access'));
    const keep = page.getByRole('switch', { name: 'The sign-in window stays signed in to the service' });
    await keep.waitFor();
    await expect.poll(() => keep.isChecked()).toBe(false);
    await expect.poll(() => page.getByRole('button', { name: 'Sign in as someone else' }).count()).toBe(0);
    await keep.click();
    await page.getByRole('button', { name: 'Sign in as someone else' }).waitFor();
    await page.getByRole('button', { name: 'Delete browser session' }).click();
    await page.getByText('Browser session deleted').waitFor();
    await expect.poll(() => keep.isChecked()).toBe(true);
    await keep.click();
    await page.getByText('Its cookies and site data are deleted when it closes.').waitFor();
  });
});
