// The panel that a button opens.
import { expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';

it('keeps the focus in a field that the user reaches before the browser reports the panel as open', async () => {
  const { page } = await openScreens();
  const button = page.getByRole('button', { name: 'Layers' });
  const focused = await button.evaluate(async (opener: HTMLButtonElement) => {
    const panel = document.getElementById(opener.getAttribute('popovertarget') ?? '');
    if (!panel) throw new Error('no panel');
    const isReported = new Promise((resolve) => panel.addEventListener('toggle', resolve, { once: true }));
    opener.click();
    // React renders at the end of the click.
    await Promise.resolve();
    const field = panel.querySelector('input');
    field?.focus();
    const before = document.activeElement === field;
    await isReported;
    // React's handler of the event runs on the root.
    await new Promise(requestAnimationFrame);
    return [before, document.activeElement === field];
  });
  expect(focused).toEqual([true, true]);
});
