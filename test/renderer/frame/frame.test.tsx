// The frame around the screens: status bar, navigation, panels.
import { expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { UnreadCallbacks } from '#contract/app-rpc/callbacks.ts';
import { showUnread } from '#renderer/features/callbacks/show-unread.ts';
import { expectGone, expectShown, openApp } from '../open-app.ts';

const { keyboard } = userEvent;
const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
const panel = page.getByRole('dialog');
const focused = () => document.activeElement?.getAttribute('aria-label');

it('says in the status bar how the app is doing, and each part opens its screen', async () => {
  openApp();
  const bar = page.getByRole('contentinfo', { name: 'Status' });
  for (const [part, screen] of [
    [/^Connected, application token: \d+ /, 'Access'],
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
  await expectShown(more.getByRole('button', { name: /^Connected, / }));
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

it('counts unread callbacks in title, icon, and navigation', async () => {
  const link = Object.assign(document.createElement('link'), { rel: 'icon', href: 'usual.svg' });
  const { title } = document;
  document.head.prepend(link);
  onTestFinished(() => {
    link.remove();
    document.title = title;
  });
  let unread: UnreadCallbacks = { count: 3, isMore: false, throughId: 0, ids: [1, 2, 3] };
  const { store, notify } = openApp({ stubs: { callbacks: { unread: () => unread } } });
  showUnread(store, window);
  await expect.poll(() => document.title).toBe(`(3) ${title}`);
  expect(link.href).toMatch(/rainbell-unread\.svg$/);
  await expectShown(page.getByRole('button', { name: 'Callbacks, 3 unread' }));
  unread = { count: 999, isMore: true, throughId: 0, ids: [] };
  notify({ topic: 'callbacks-read', version: 1 });
  const more = page.getByRole('button', { name: 'Callbacks, more than 999 unread' });
  await expect.element(more).toHaveTextContent('Callbacks999+');
  const right = (one: Element | null) => one?.getBoundingClientRect().right ?? 0;
  expect(right(more.getByText('999+').element())).toBeLessThanOrEqual(right(more.element().closest('nav')));
  unread = { count: 0, isMore: false, throughId: 3, ids: [] };
  notify({ topic: 'callbacks-read', version: 2 });
  await expect.poll(() => document.title).toBe(title);
  expect(link.href).toMatch(/usual\.svg$/);
});
