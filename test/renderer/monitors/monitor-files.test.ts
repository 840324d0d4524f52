// Monitors in files, over a service that keeps monitors in memory and knows only the interface.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { interfaceOnly, openMonitors, some } from './interface-only-monitors.ts';

describe('files', () => {
  it('the monitors shown are saved as JSON and CSV; the CSV, read by the import’s button, plans nothing but its new line', async () => {
    const { routes, stored } = interfaceOnly(some(3));
    const { page } = await openMonitors(routes);
    await page.getByLabel('Filter the monitors').fill('_3');
    await page.getByText('1 of 3 monitors').waitFor();
    const save = async (words: string) => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: words }).click();
      const file = await download;
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
    };
    const json = await save('Export 1 monitor in the list as JSON');
    expect(json.name).toMatch(/^monitors-\d{4}-\d\d-\d\d\.json$/);
    expect(JSON.parse(json.text)).toMatchObject({
      monitors: [{ id: 'precipitation_3', monitor_type: 'precipitation' }],
    });
    await page.getByLabel('Filter the monitors').fill('');
    const csv = await save('Export 3 monitors in the list as CSV');
    const more = `${csv.text},Bergen yard,60.39,5.32,https://ops.example.net/b,,\r\n`;
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose a file…' }).click();
    await (await chooser).setFiles({ name: csv.name, mimeType: 'text/csv', buffer: Buffer.from(more) });
    await dialog.getByText('1 to create, 3 skipped, 0 with errors').waitFor();
    await dialog.getByRole('button', { name: 'Create 1' }).click();
    await page.getByRole('button', { name: 'Bergen yard, precipitation_100' }).waitFor();
    expect(stored.size).toBe(4);
  });

  it('with more text than one message of the browser may have are imported', async () => {
    const { routes, stored } = interfaceOnly([]);
    const { page, core } = await openMonitors(routes);
    const note = 'é'.repeat(9_000);
    const monitors = Array.from({ length: 130 }, (_, index) => ({
      geo: { lat: index / 2, lng: 7 },
      callback_uri: `https://ops.example.net/${index}`,
      note,
    }));
    const file = Buffer.from(`\uFEFF${JSON.stringify({ monitors })}`, 'utf16le');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'Choose a file…' }).click();
    await (await chooser).setFiles({ name: 'sites.json', mimeType: 'text/plain', buffer: file });
    await page.getByRole('button', { name: 'Create 130' }).click();
    await expect.poll(() => stored.size).toBe(130);
    const { monitors: listed } = await core.client.monitors.list();
    expect(new Set(listed.map((monitor) => monitor.note))).toEqual(new Set([note]));
  });
});
