// The frame around the screens: status bar, navigation, panels, and the short messages: one at a time, and none over a screen.
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { UnreadCallbacks } from '#contract/app-rpc/callbacks.ts';
import { expectGone, expectShown, openApp } from '../open-app.ts';

const { keyboard } = userEvent;
const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
const panel = page.getByRole('dialog');
const focused = () => document.activeElement?.getAttribute('aria-label');

it('says in the status bar how the app is doing, and each part opens its screen', async () => {
  openApp();
  const bar = page.getByRole('contentinfo', { name: 'Status' });
  for (const [part, screen] of [
    [/^Application token: \d+ /, 'Access'],
    ['Receiver 127.0.0.1:4545', 'Callbacks'],
    ['HTTP only, this computer only', 'Settings'],
    [/^Fresh/, 'Forecast'],
  ] as const) {
    await bar.getByRole('button', { name: part }).click();
    await expect.element(heading(screen)).toBeInTheDocument();
  }
  await bar.getByRole('button', { name: 'HTTP only, this computer only' }).click();
  const topOfReceiver = () => document.querySelector('[data-section="receiver"]')?.getBoundingClientRect().top;
  await expect.poll(topOfReceiver).toBeLessThan(200);
  const theme = () => document.documentElement.dataset['mantineColorScheme'];
  await page.getByRole('button', { name: 'Use the dark theme' }).click();
  await expect.poll(theme).toBe('dark');
  await page.getByRole('button', { name: 'Use the light theme' }).click();
  await expect.poll(theme).toBe('light');
});

it('shows in a narrow window five items, and the rest under More', async () => {
  openApp();
  await page.viewport(800, 700);
  const navigation = page.getByRole('navigation', { name: 'Screens' });
  await expect
    .poll(() =>
      navigation
        .getByRole('button')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['Forecast', 'Monitors', 'Callbacks', 'Traffic', 'More']);
  await navigation.getByRole('button', { name: 'More' }).click();
  const more = page.getByRole('dialog', { name: 'More' });
  await expectShown(more.getByRole('button', { name: /^Application token: / }));
  await more.getByRole('button', { name: 'Connections' }).click();
  await expect.element(heading('Connections')).toBeInTheDocument();
  await expectGone(more);
});

it('opens its panels by keys and by mouse, one at a time, and gives the focus back', async () => {
  openApp();
  const connection = page.getByRole('button', { name: /^Connection: / });
  await expectShown(connection);
  connection.element().focus();
  await keyboard('{Enter}');
  await expect.poll(focused).toBe('Connections');
  await keyboard('{Escape}');
  await expect.poll(focused).toMatch(/^Connection: /);
  await expectGone(panel);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await connection.click();
  await expectShown(page.getByRole('dialog', { name: 'Connections' }));
  await expect.poll(() => panel.length).toBe(1);
  await page.getByRole('button', { name: 'New connection…' }).click();
  await expectShown(page.getByRole('dialog', { name: 'New connection' }));
  await keyboard('{Escape}');
  await expect.poll(focused).toMatch(/^Connection: /);
  await connection.click();
  await userEvent.click(heading('Forecast').element().closest('main') ?? document.body, {
    position: { x: 600, y: 500 },
  });
  await expectGone(panel);
});

it('counts unread callbacks in the navigation, up to 999', async () => {
  let unread: UnreadCallbacks = { count: 3, isMore: false, throughId: 0 };
  const { notify } = openApp({ stubs: { callbacks: { unread: () => unread } } });
  await expectShown(page.getByRole('button', { name: 'Callbacks, 3 unread' }));
  unread = { count: 999, isMore: true, throughId: 0 };
  notify({ topic: 'callbacks-read', version: 1 });
  const more = page.getByRole('button', { name: 'Callbacks, more than 999 unread' });
  await expect.element(more).toHaveTextContent('Callbacks999+');
  const right = (one: Element | null) => one?.getBoundingClientRect().right ?? 0;
  expect(right(more.getByText('999+').element())).toBeLessThanOrEqual(right(more.element().closest('nav')));
});

const messages = page.getByRole('region', { name: 'Messages' });

it('shows messages one at a time, equal ones as one, and what can be undone first', async () => {
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
])('covers nothing of the screen with a message at %i × %i', async (width, height) => {
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
