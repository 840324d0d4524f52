// The Access screen in Electron, where the sign-in window is the app's own: the person chooses what it remembers
// (docs/tokens.md T6).
import { describe, expect, it } from 'vitest';
import { startRainbell } from './rainbell.ts';

describe('the Access screen', () => {
  it('lets the person keep or forget the browser session, and sign in as someone else (docs/tokens.md T6)', async () => {
    const rainbell = await startRainbell();
    const page = await rainbell.firstPage();
    await page
      .getByText(/Connected, app token \d/)
      .first()
      .waitFor();
    await page.evaluate(() => void (location.hash = '#/access'));
    const keep = page.getByRole('switch', { name: 'The sign-in window stays signed in at the service' });
    await keep.waitFor();
    expect(await keep.isChecked()).toBe(false);
    expect(await page.getByRole('button', { name: 'Sign in as someone else' }).count()).toBe(0);
    await keep.click();
    await page.getByRole('button', { name: 'Sign in as someone else' }).waitFor();
    await page.getByRole('button', { name: 'Forget browser session' }).click();
    await page.getByText('forgot its cookies and storage').waitFor();
    expect(await keep.isChecked()).toBe(true);
    await keep.click();
    await page.getByText('It forgets cookies and storage when it closes.').waitFor();
  });
});
