// The panel that a button opens.
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectShown, openApp } from '../open-app.ts';

it('a panel keeps the focus in a field that the user reaches before the browser reports the panel as open', async () => {
  openApp();
  const button = page.getByRole('button', { name: 'View' });
  await expectShown(button);
  const opener = button.element();
  const panel = document.getElementById(opener.getAttribute('popovertarget') ?? '');
  if (!(opener instanceof HTMLElement) || !panel) throw new Error('no panel');
  const isReported = new Promise((resolve) => panel.addEventListener('toggle', resolve, { once: true }));
  opener.click();
  // React renders at the end of the click.
  await Promise.resolve();
  const field = panel.querySelector('input');
  field?.focus();
  expect(document.activeElement).toBe(field);
  await isReported;
  // React's handler of the event runs on the root.
  await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(field);
});
