// The feed on the screens: its switch, its state above the list, and a callback received by it.
import { expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';

it('turns the feed on, marks what comes by it, and says when it fails', async () => {
  const body = JSON.stringify({
    uri: '/v2/monitors/precipitation_1/',
    id: 'precipitation_1',
    monitor_type: 'precipitation',
    callback_uri: 'https://example.org/hooks/rain',
    geo: { type: 'Point', coordinates: [7.6869, 45.0703] },
  });
  const seconds = Math.floor(Date.now() / 1000);
  const event = {
    id: 'evt_1',
    monitor_id: 'precipitation_1',
    occurred_at: new Date(seconds * 1000).toISOString().replace('Z', ''),
    callback_uri: 'https://example.org/hooks/rain',
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': 'v1,cmFpbg==',
      'content-type': 'application/json',
    },
    body,
  };
  const meta = { cursor: 'end', has_more: false, has_gap: false };
  const { page, receiverUrl } = await openScreens({
    hash: '#/callbacks',
    routes: {
      'GET /v2/deliveries/': ({ url }, count) => {
        if (url.includes('after=now')) return { body: { objects: [], meta: { ...meta, cursor: 'start' } } };
        if (count === 2) return { body: { objects: [event], meta } };
        return { status: 503, headers: { 'retry-after': '600' }, body: { error: 'temporarily_unavailable' } };
      },
    },
  });
  await receiverUrl();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Receiver settings…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Receiver settings' });
  const feed = dialog.getByRole('switch', { name: 'Read events from the feed' });
  await expect.poll(() => feed.isChecked()).toBe(false);
  // Not `check`, which looks at once: core stores the setting before the switch shows it.
  await feed.click({ force: true });
  await dialog.getByText(/^Couldn’t read the feed from Sandbox: /).waitFor();
  await dialog.getByRole('button', { name: 'Open in Traffic: the feed' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Feed: retrying…').waitFor();
  const row = page.getByRole('option').filter({ hasText: '/hooks/rain' });
  await row.getByText('From feed').waitFor();
  await row.click();
  const detail = page.getByRole('region', { name: 'Callback' });
  await detail.getByText(/From the feed at 127\.0\.0\.1/).waitFor();
  await page.getByRole('radiogroup', { name: 'Callback details' }).getByText('Response From feed').click();
  await detail.getByText('Read from the feed, so no response was sent').waitFor();
});
