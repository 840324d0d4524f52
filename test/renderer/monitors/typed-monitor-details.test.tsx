// What a user types into a monitor's details is not lost: beside other monitors, other edits and their own writes.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { expectGone, expectShown } from '../open-app.ts';
import { listOf } from './monitor-samples.ts';
import { openMonitors, some, uriOf } from './stored-monitors.ts';

const rowOf = (id: string) => page.getByRole('row').filter({ has: page.getByText(id, { exact: true }) });
const panelOf = (id: string) => page.getByRole('region', { name: `Monitor ${id}` });
const opener = (id: string) => page.getByRole('button', { name: id, exact: true });
const address = (id: string) => panelOf(id).getByLabelText('Callback URL');

describe('what was typed into the details of a monitor', () => {
  it('is replaced whole, except for the events that someone else changed meanwhile', async () => {
    const sent: unknown[] = [];
    let lists = 0;
    const { stored } = openMonitors(some(1), {
      list() {
        lists += 1;
        return listOf([...stored.values()]);
      },
      replace(input) {
        sent.push(input.options);
        return { ...(stored.get(input.id) as AppMonitor), geo: input.geo };
      },
    });
    await opener('precipitation_1').click();
    await panelOf('precipitation_1').getByText('Edit', { exact: true }).click();
    await panelOf('precipitation_1').getByLabelText('Latitude').fill('12');
    const options = { payload: 'slack' as const };
    stored.set('precipitation_1', { ...(stored.get('precipitation_1') as AppMonitor), options });
    const before = lists;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => lists).toBeGreaterThan(before);
    await panelOf('precipitation_1').getByRole('button', { name: 'Replace (PUT)' }).click();
    await expectShown(page.getByText('Replaced precipitation_1'));
    expect(sent).toEqual([options]);
  });

  it('stays beside “Set callback URL to this app”', async () => {
    const written = uriOf({ kind: 'this-app' });
    const { stored } = openMonitors(some(1));
    await opener('precipitation_1').click();
    const panel = panelOf('precipitation_1');
    await panel.getByText('Edit', { exact: true }).click();
    await panel.getByLabelText('Latitude').fill('12.5');
    await panel.getByRole('button', { name: 'Set callback URL to this app' }).click();
    await expect.element(address('precipitation_1')).toHaveValue(written);
    await expect.element(panel.getByLabelText('Latitude')).toHaveValue('12.5');
    await panel.getByRole('button', { name: 'Save (PATCH)' }).click();
    await expect.poll(() => stored.get('precipitation_1')).toMatchObject({ geo: { lat: 12.5 }, callbackUri: written });
  });

  it('is restored after Escape and after another monitor’s details, is noted in its row, and goes once it is saved', async () => {
    const { stored } = openMonitors(some(2));
    await opener('precipitation_1').click();
    const first = panelOf('precipitation_1');
    await first.getByText('Edit', { exact: true }).click();
    await address('precipitation_1').fill('https://typed.example.net/');
    await first.getByRole('textbox', { name: 'Note', exact: true }).fill('Ask Ada ');
    await opener('precipitation_2').click();
    await expectShown(panelOf('precipitation_2'));
    await expectShown(rowOf('precipitation_1').getByText('Not saved yet'));
    const note = (id: string) => panelOf(id).getByRole('textbox', { name: 'Note', exact: true });
    await expect.element(note('precipitation_2')).toHaveValue('');
    await opener('precipitation_1').click();
    page.getByRole('grid', { name: 'Monitors' }).element().focus();
    await userEvent.keyboard('{Escape}');
    await expectGone(first);
    await opener('precipitation_1').click();
    await expect.element(note('precipitation_1')).toHaveValue('Ask Ada ');
    await first.getByRole('button', { name: 'Save (PATCH)' }).click();
    await expect.poll(() => stored.get('precipitation_1')?.callbackUri).toBe('https://typed.example.net/');
    await first.getByRole('button', { name: 'Save notes' }).click();
    await expect.poll(() => first.getByRole('button', { name: /^Save/, disabled: true }).length).toBe(2);
    // The disabled button can't have it any more.
    await expect.poll(() => document.activeElement?.matches('input, textarea')).toBe(true);
    await opener('precipitation_1').click();
    await expectGone(first);
    await expectGone(page.getByText('Not saved yet'));
  });

  it('stays if someone else changes another field, and is no longer noted once both are the same', async () => {
    const { stored } = openMonitors(some(1));
    await opener('precipitation_1').click();
    await page.getByText('Edit', { exact: true }).click();
    await address('precipitation_1').fill('https://typed.example.net/');
    await opener('precipitation_1').click();
    await expectShown(rowOf('precipitation_1').getByText('Not saved yet'));
    const change = async (part: Partial<AppMonitor>) => {
      stored.set('precipitation_1', { ...(stored.get('precipitation_1') as AppMonitor), ...part });
      await page.getByRole('button', { name: 'Refresh' }).click();
    };
    await change({ geo: { lat: 12.5, lng: 7.5 } });
    await opener('precipitation_1').click();
    await expect.element(panelOf('precipitation_1').getByLabelText('Latitude')).toHaveValue('12.5');
    await expect.element(address('precipitation_1')).toHaveValue('https://typed.example.net/');
    await opener('precipitation_1').click();
    await change({ callbackUri: 'https://typed.example.net/' });
    await expectGone(page.getByText('Not saved yet'));
  });

  it('is not saved over someone else’s change if it was typed back as it was', async () => {
    const sent: object[] = [];
    const { stored } = openMonitors(some(1), {
      update({ id, changes }) {
        sent.push(changes);
        return stored.get(id) as AppMonitor;
      },
    });
    await opener('precipitation_1').click();
    const panel = panelOf('precipitation_1');
    await panel.getByText('Edit', { exact: true }).click();
    const own = some(1)[0]?.callbackUri ?? '';
    await panel.getByLabelText('Longitude').fill('7.5');
    await address('precipitation_1').fill(`${own}/typed`);
    await address('precipitation_1').fill(own);
    const theirs = 'https://theirs.example.net/';
    stored.set('precipitation_1', { ...(stored.get('precipitation_1') as AppMonitor), callbackUri: theirs });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.element(address('precipitation_1')).toHaveValue(theirs);
    await panel.getByRole('button', { name: 'Save (PATCH)' }).click();
    await expect.poll(() => sent).toEqual([{ geo: { lat: -79.5, lng: 7.5 } }]);
  });

  it('stays while one’s own write of the same monitor runs, and is saved next without what is written already', async () => {
    const { stored, stub } = openMonitors(some(1));
    const held = Promise.withResolvers<AppMonitor>();
    const asked = Promise.withResolvers<object>();
    stub({
      monitors: {
        update({ changes }) {
          asked.resolve(changes);
          return held.promise;
        },
      },
    });
    await opener('precipitation_1').click();
    const panel = panelOf('precipitation_1');
    await panel.getByText('Edit', { exact: true }).click();
    const save = panel.getByRole('button', { name: 'Save (PATCH)' });
    await address('precipitation_1').fill('https://first.example.net/');
    await panel.getByLabelText('Longitude').fill('7.50');
    await panel.getByRole('combobox', { name: 'Sends' }).click();
    await page.getByRole('option', { name: 'Rain event (JSON)' }).click();
    await save.click();
    const options = { payload: 'event' };
    const callback = { kind: 'address', uri: 'https://first.example.net/' };
    const first = { callback, geo: { lat: -79.5, lng: 7.5 }, options };
    expect(await asked.promise).toEqual(first);
    await address('precipitation_1').fill('https://second.example.net/');
    const written: AppMonitor = {
      ...some(1)[0]!,
      callbackUri: 'https://first.example.net/',
      geo: { lat: -79.5, lng: 7.5 },
      options: { payload: 'event' },
    };
    stored.set('precipitation_1', written);
    held.resolve(written);
    await expectShown(page.getByText('Saved precipitation_1'));
    await expect.element(panel.getByLabelText('Longitude')).toHaveValue('7.5');
    const next = Promise.withResolvers<object>();
    stub({
      monitors: {
        update({ changes }) {
          next.resolve(changes);
          return written;
        },
      },
    });
    await save.click();
    expect(await next.promise).toEqual({ callback: { kind: 'address', uri: 'https://second.example.net/' } });
    await expect.element(panel.getByRole('combobox', { name: 'Sends' })).toHaveValue('Rain event (JSON)');
  });
});
