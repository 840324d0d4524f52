// What a user types into a monitor's details is not lost: beside other monitors, other edits and their own writes.
import { describe, expect, it } from 'vitest';
import { interfaceOnly, openMonitors, rowOf, some } from './interface-only-monitors.ts';

describe('what was typed into the details', () => {
  it('is restored after Escape and after another monitor’s details, is noted in its row, and goes once it is saved', async () => {
    const { routes, stored } = interfaceOnly(some(2));
    const { page } = await openMonitors(routes);
    const panel = (id: string) => page.getByRole('region', { name: `Monitor ${id}` });
    const opener = (id: string) => page.getByRole('button', { name: id, exact: true });
    await opener('precipitation_1').click();
    await panel('precipitation_1').getByText('Edit', { exact: true }).click();
    await panel('precipitation_1').getByLabel('Callback URL').fill('https://typed.example.net/');
    await panel('precipitation_1').getByLabel('Note').fill('Ask Ada ');
    await opener('precipitation_2').click();
    await panel('precipitation_2').waitFor();
    await rowOf(page, 'precipitation_1').getByText('Not saved yet').waitFor();
    await expect.poll(() => panel('precipitation_2').getByLabel('Note').inputValue()).toBe('');
    await opener('precipitation_1').click();
    await page.getByRole('grid', { name: 'Monitors' }).focus();
    await page.keyboard.press('Escape');
    await panel('precipitation_1').waitFor({ state: 'detached' });
    await opener('precipitation_1').click();
    await expect.poll(() => panel('precipitation_1').getByLabel('Note').inputValue()).toBe('Ask Ada ');
    await panel('precipitation_1').getByRole('button', { name: 'Save (PATCH)' }).click();
    await expect.poll(() => stored.get('precipitation_1')?.callback_uri).toBe('https://typed.example.net/');
    await panel('precipitation_1').getByRole('button', { name: 'Save notes' }).click();
    await expect
      .poll(() => panel('precipitation_1').getByRole('button', { name: /^Save/, disabled: true }).count())
      .toBe(2);
    await opener('precipitation_1').click();
    await panel('precipitation_1').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('Not saved yet').count()).toBe(0);
  });
});

describe('what was typed into the details and the dialog', () => {
  it('of one monitor stays if the other writes something else, and is no longer noted once both are the same', async () => {
    const { routes, stored } = interfaceOnly(some(1));
    const { page } = await openMonitors(routes);
    const opener = page.getByRole('button', { name: 'precipitation_1', exact: true });
    await opener.click();
    await page.getByText('Edit', { exact: true }).click();
    await page.getByLabel('Callback URL').fill('https://typed.example.net/');
    await opener.click();
    await rowOf(page, 'precipitation_1').getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'More actions for precipitation_1' }).click();
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    await page.getByRole('dialog').getByLabel('Latitude').fill('12.5');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => stored.get('precipitation_1')?.lat).toBe(12.5);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await rowOf(page, 'precipitation_1').getByText('Not saved yet').waitFor();
    Object.assign(stored.get('precipitation_1') ?? {}, { callback_uri: 'https://typed.example.net/' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
  });
});

describe('what is typed while one’s own write of the same monitor runs', () => {
  it('stays, and is saved next without showing one’s own write as another user’s', async () => {
    const { routes, stored } = interfaceOnly(some(1));
    const patch = routes['PATCH /v2/monitors/precipitation_1/'];
    const held = Promise.withResolvers<void>();
    routes['PATCH /v2/monitors/precipitation_1/'] = async (request, count) => {
      if (count === 1) await held.promise;
      return patch?.(request, count) ?? {};
    };
    const { page, service } = await openMonitors(routes);
    await page.getByRole('button', { name: 'precipitation_1', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Monitor precipitation_1' });
    await panel.getByText('Edit', { exact: true }).click();
    const save = panel.getByRole('button', { name: 'Save (PATCH)' });
    await panel.getByLabel('Callback URL').fill('https://first.example.net/');
    await panel.getByLabel('Longitude').fill('7.50');
    await save.click();
    await expect.poll(() => service.requestsTo('PATCH /v2/monitors/precipitation_1/').length).toBe(1);
    await panel.getByLabel('Callback URL').fill('https://second.example.net/');
    held.resolve();
    await page.getByText('Saved precipitation_1').waitFor();
    await expect.poll(() => panel.getByLabel('Longitude').inputValue()).toBe('7.5');
    await save.click();
    await expect.poll(() => stored.get('precipitation_1')?.callback_uri).toBe('https://second.example.net/');
    expect(service.requestsTo('PATCH /v2/monitors/precipitation_1/').map(({ body }) => JSON.parse(body))).toEqual([
      { callback_uri: 'https://first.example.net/', geo: { lat: -79.5, lng: 7.5 } },
      { callback_uri: 'https://second.example.net/' },
    ]);
  });

  it('stays beside an action on many, an edit in place, and “Set callback URL to this app”, and is saved without a conflict', async () => {
    const { routes, stored } = interfaceOnly(some(1));
    const { page } = await openMonitors(routes);
    await page.getByRole('button', { name: 'precipitation_1', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Monitor precipitation_1' });
    await panel.getByText('Edit', { exact: true }).click();
    const ways: readonly (() => Promise<void>)[] = [
      async () => {
        await page.getByRole('checkbox', { name: /precipitation_1/ }).check();
        await page.getByRole('button', { name: 'Set callback URL…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: /^Set/ }).click();
      },
      async () => {
        const grid = page.getByRole('grid', { name: 'Monitors' });
        await grid.press('Home');
        await grid.press('F2');
        const field = page.getByLabel('Callback URL for precipitation_1');
        await field.fill('https://mine.example.net/');
        await field.press('Enter');
      },
      () => panel.getByRole('button', { name: 'Set callback URL to this app' }).click(),
    ];
    for (const [index, write] of ways.entries()) {
      const lat = 12.5 + index;
      const before = stored.get('precipitation_1')?.callback_uri;
      await panel.getByLabel('Latitude').fill(String(lat));
      await write();
      await expect.poll(() => stored.get('precipitation_1')?.callback_uri).not.toBe(before);
      const written = stored.get('precipitation_1')?.callback_uri ?? '';
      await expect.poll(() => panel.getByLabel('Callback URL').inputValue()).toBe(written);
      await panel.getByRole('button', { name: 'Save (PATCH)' }).click();
      await expect.poll(() => stored.get('precipitation_1')).toMatchObject({ lat, callback_uri: written });
    }
  });
});
