// The short messages: one at a time, and none over a screen.
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectGone, expectShown, openApp } from '../open-app.ts';

const messages = page.getByRole('region', { name: 'Messages' });

it('are shown one at a time, equal ones as one, and what can be undone first', async () => {
  const { store } = openApp({ hash: '#/callbacks' });
  await expectShown(page.getByText('No callbacks yet'));
  const { show } = store.getState().toasts;
  for (let count = 0; count < 3; count += 1) show({ tone: 'bad', message: 'The link is broken' });
  await expectShown(messages.getByText('3 times'));
  show({ tone: 'plain', message: 'Deleting one', action: { label: 'Undo', run: () => {} } });
  show({ tone: 'good', message: 'Saved' });
  await expectShown(messages.getByText('Deleting one'));
  await expectGone(messages.getByText('Saved'));
  await messages.getByRole('button', { name: 'Undo' }).click();
  await expectShown(messages.getByText('Saved'));
  await messages.getByRole('button', { name: 'Close the message' }).click();
  await expectShown(messages.getByText('The link is broken'));
});

it.each([
  [1280, 800],
  [1024, 768],
  [640, 400],
])('cover nothing of the screen at %i × %i', async (width, height) => {
  await page.viewport(width, height);
  const { store } = openApp({ hash: '#/callbacks' });
  await expectShown(page.getByText('No callbacks yet'));
  store.getState().toasts.show({ tone: 'bad', message: 'Couldn’t save precipitation_1: the service did not respond' });
  await expectShown(messages.getByText(/^Couldn’t save/));
  const [toast, screen] = [messages, page.getByRole('main')].map((one) => one.element().getBoundingClientRect());
  expect(Math.min(toast?.bottom ?? 0, screen?.bottom ?? 0) - Math.max(toast?.top ?? 0, screen?.top ?? 0)).toBeLessThan(
    1,
  );
});
