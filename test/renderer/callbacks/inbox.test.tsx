// The inbox below the switch of the feed: opened, replaced, closed, and absent from services that have none.
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { InboxState } from '#contract/app-rpc/feed.ts';
import { expectGone, expectShown, openApp, readyStatus } from '../open-app.ts';

async function openSettings(state: InboxState): Promise<string[]> {
  const asked: string[] = [];
  const address = (number: number) => ({ isOffered: true, url: `https://rain.example/in/app-token${number}/` });
  openApp({
    hash: '#/callbacks',
    settings: { readsFeed: true },
    stubs: {
      app: { status: () => ({ ...readyStatus, feed: { state: 'reading', problem: null, hasGap: false } }) },
      feed: {
        inbox: () => state,
        openInbox() {
          asked.push('open');
          return address(asked.length);
        },
        closeInbox() {
          asked.push('close');
          return { isOffered: true, url: null };
        },
      },
    },
  });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Receiver settings…' }).click();
  return asked;
}

it('opens an inbox, shows its address, replaces it, and closes it', async () => {
  const asked = await openSettings({ isOffered: true, url: null });
  await page.getByRole('button', { name: 'Open an inbox' }).click();
  await expectShown(page.getByText('https://rain.example/in/app-token1/'));
  await page.getByRole('button', { name: 'New address' }).click();
  await expectShown(page.getByText('https://rain.example/in/app-token2/'));
  await page.getByRole('button', { name: 'Close and delete' }).click();
  await expectGone(page.getByText('https://rain.example/'));
  expect(asked).toEqual(['open', 'open', 'close']);
});

it('offers none if the service has none', async () => {
  await openSettings({ isOffered: false, url: null });
  await expectShown(page.getByText('Read events from the feed'));
  await expectGone(page.getByRole('button', { name: 'Open an inbox' }));
});
