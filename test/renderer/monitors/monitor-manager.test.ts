// The monitor manager by hand and by keys in real Chromium, over a service that keeps monitors in memory and knows only the
// interface: edits that meet others', many at once, create many, deletes that survive a reload, 5,000 rows, the map.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { interfaceOnly, openMonitors, rowOf, showCallbackColumn, some } from './interface-only-monitors.ts';

describe('with only the keyboard', () => {
  it('arrows move, Space marks, Enter opens, Delete holds the delete, which is undone from its row after a reload; Ctrl+A selects all', async () => {
    const { routes } = interfaceOnly(some(3));
    const { page, service } = await openMonitors(routes);
    await rowOf(page, 'precipitation_1').waitFor();
    await page.getByRole('grid', { name: 'Monitors' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    await expect.poll(() => rowOf(page, 'precipitation_2').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Monitor precipitation_2' }).waitFor();
    await page.getByRole('grid', { name: 'Monitors' }).focus();
    await page.keyboard.press('Delete');
    await rowOf(page, 'precipitation_2').getByText('Deleting in a few seconds').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Keep precipitation_2' }).click();
    await page.getByText('Deleting in a few seconds').waitFor({ state: 'detached' });
    expect(service.requestsTo('DELETE /v2/monitors/precipitation_2/')).toEqual([]);

    await page.getByRole('grid', { name: 'Monitors' }).focus();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Monitor precipitation_2' }).waitFor({ state: 'detached' });
    // At 150% in a small window the details take the list's place, and give it back.
    await page.setViewportSize({ width: 853, height: 533 });
    await page.getByRole('grid', { name: 'Monitors' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Back to the list');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('grid');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('grid', { name: 'Monitors' }).press('Control+A');
    await page.getByRole('toolbar').getByText('3 selected').waitFor();
    const dialog = page.getByRole('dialog');
    const first = { 'Set callback URL…': 'This app', 'Move…': 'Degrees north', 'Duplicate…': 'Degrees north' };
    for (const [button, field] of Object.entries(first)) {
      await page.getByRole('button', { name: button }).press('Enter');
      await expect.poll(() => dialog.getByLabel(field).evaluate((input) => input.matches(':focus'))).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('F2 or a double click edits the callback in place, Shift+F2 the place; what the service refuses is taken back', async () => {
    const { routes, stored } = interfaceOnly(some(2));
    const { page, service } = await openMonitors(routes);
    await showCallbackColumn(page);
    const patch = service.routes['PATCH /v2/monitors/precipitation_1/'];
    const edit = async (address: string) => {
      await page.getByRole('grid', { name: 'Monitors' }).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('F2');
      await page.getByLabel('Callback URL for precipitation_1').fill(address);
      await page.keyboard.press('Enter');
    };
    await edit('https://new.example.net/');
    await page.getByText('Saved precipitation_1').waitFor();
    const [sent] = service.requestsTo('PATCH /v2/monitors/precipitation_1/');
    expect(JSON.parse(sent?.body ?? '')).toEqual({ callback_uri: 'https://new.example.net/' });
    service.routes['PATCH /v2/monitors/precipitation_1/'] = () => ({ status: 500, body: '' });
    await edit('https://refused.example.net/');
    await page.getByText('Couldn’t save precipitation_1').waitFor();
    await rowOf(page, 'precipitation_1').getByText('https://new.example.net/').waitFor();
    expect(stored.get('precipitation_1')?.callback_uri).toBe('https://new.example.net/');

    if (patch) service.routes['PATCH /v2/monitors/precipitation_1/'] = patch;
    await rowOf(page, 'precipitation_1').getByText('https://new.example.net/').dblclick();
    const address = page.getByLabel('Callback URL for precipitation_1');
    await address.fill('not an address');
    await address.press('Enter');
    await rowOf(page, 'precipitation_1')
      .getByText(/https?:\/\//)
      .waitFor();
    await address.fill('https://twice.example.net/');
    await address.blur();
    await page.getByText('Not saved: press Enter to save or Esc to cancel.').waitFor();
    await expect.poll(() => address.inputValue()).toBe('https://twice.example.net/');
    await address.press('Enter');
    await page.getByText('Saved precipitation_1').waitFor();
    const grid = page.getByRole('grid', { name: 'Monitors' });
    await grid.press('Home');
    await grid.press('Shift+F2');
    const place = page.getByLabel('Latitude, longitude for precipitation_1');
    await place.fill('60.5, 5.25');
    await place.press('Enter');
    await expect.poll(() => stored.get('precipitation_1')).toMatchObject({ lat: 60.5, lng: 5.25 });
    const bodies = service
      .requestsTo('PATCH /v2/monitors/precipitation_1/')
      .map(({ body }) => JSON.parse(body) as unknown);
    expect(bodies.slice(2)).toEqual([
      { callback_uri: 'https://twice.example.net/' },
      { geo: { lat: 60.5, lng: 5.25 } },
    ]);
    await grid.press('F2');
    await address.waitFor();
    const filter = page.getByLabel('Filter the monitors');
    await filter.click();
    await address.waitFor({ state: 'detached' });
    expect(await filter.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('“Call this app” in the details writes this app’s address, and says what a service without test events cannot prove', async () => {
    const { routes, stored } = interfaceOnly(some(1));
    const { page, core } = await openMonitors(routes);
    await page.getByRole('button', { name: 'precipitation_1', exact: true }).press('Enter');
    const panel = page.getByRole('region', { name: 'Monitor precipitation_1' });
    await panel.getByRole('button', { name: 'Set callback URL to this app' }).press('Enter');
    await page.getByText('the first event will show whether callbacks arrive').waitFor();
    await panel.getByRole('button', { name: 'Set callback URL to this app' }).waitFor({ state: 'detached' });
    const { baseUrl } = core.core.status().receiver;
    expect(stored.get('precipitation_1')?.callback_uri).toContain(`${baseUrl}/`);
  });
});

describe('an edit that conflicts with another user’s', () => {
  it('shows both values by field, writes the user’s on request, and says that a monitor is gone', async () => {
    const { routes, stored } = interfaceOnly(some(1));
    const { page, service } = await openMonitors(routes);
    await page.getByRole('button', { name: 'precipitation_1', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Monitor precipitation_1' });
    await panel.getByText('Edit', { exact: true }).click();
    await panel.getByLabel('Callback URL').fill('https://mine.example.net/');
    await panel.getByLabel('Longitude').fill('7.5');
    Object.assign(stored.get('precipitation_1') ?? {}, { callback_uri: 'https://theirs.example.net/', lng: 9.25 });
    await panel.getByRole('button', { name: 'Save (PATCH)' }).click();
    const alert = panel.getByRole('alert');
    await alert.getByText('https://theirs.example.net/').waitFor();
    await alert.getByText('https://mine.example.net/').waitFor();
    expect(service.requestsTo('PATCH /v2/monitors/precipitation_1/')).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await alert.getByRole('button', { name: 'Overwrite with my changes' }).click();
    await page.getByText('Saved precipitation_1').waitFor();
    expect(stored.get('precipitation_1')).toMatchObject({ callback_uri: 'https://mine.example.net/', lng: 7.5 });
    await panel.getByText('Overview', { exact: true }).click();
    await panel
      .getByRole('list', { name: 'History, newest first' })
      .getByText(/Changed by/)
      .waitFor();

    // Of a monitor that is gone it says so, and closes its details.
    await panel.getByText('Edit', { exact: true }).click();
    await panel.getByLabel('Latitude').fill('12');
    const save = panel.getByRole('button', { name: 'Save (PATCH)' });
    await save.focus();
    // At the last moment: a list that is loaded before the save would close the panel.
    stored.clear();
    await save.press('Enter');
    await page.getByText('precipitation_1 was deleted elsewhere').waitFor();
    await expect.poll(() => panel.count()).toBe(0);
  });
});

describe('many at once', () => {
  it('each row has its own result, and what failed is tried again', async () => {
    const { routes, stored } = interfaceOnly(some(6));
    const { page, service } = await openMonitors(routes);
    await rowOf(page, 'precipitation_1').waitFor();
    const path = 'PATCH /v2/monitors/precipitation_3/';
    const good = service.routes[path];
    service.routes[path] = () => ({ status: 500, body: '' });
    await page.getByRole('checkbox', { name: 'Select all shown' }).click();
    await page.getByRole('button', { name: 'Set callback URL…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Another URL' }).click();
    await dialog.getByRole('textbox', { name: 'Callback URL' }).fill('https://all.example.net/');
    await dialog.getByRole('region', { name: 'Preview' }).getByText('https://all.example.net/').first().waitFor();
    await dialog.getByRole('button', { name: 'Set the callback URL for 6 monitors' }).click();
    const results = page.getByRole('region', { name: 'Set the callback URL for 6 monitors' });
    await results.getByText('5 of 6 done, 1 failed').waitFor();
    await results
      .getByRole('listitem')
      .first()
      .getByText(/status 500/)
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    if (good) service.routes[path] = good;
    await results.getByRole('button', { name: 'Retry 1' }).click();
    await results.getByText('6 of 6 done').waitFor();
    expect([...stored.values()].map(({ callback_uri }) => callback_uri)).toEqual(
      Array.from({ length: 6 }, () => 'https://all.example.net/'),
    );
    await results.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: /^Undo/ }).getByText('6 of 6 done').waitFor();
    expect(stored.get('precipitation_1')?.callback_uri).toMatch(/rain\/1$/);
    await page.getByLabel('Filter the monitors').fill('precipitation_2');
    const bar = page.getByRole('toolbar', { name: 'Selected monitors' });
    await bar.getByText('1 selected').waitFor();
    await bar.getByText('Hidden by the filter and left out: precipitation_1, precipitation_3,').waitFor();
  });

  it('pasted lines are planned first, then created; the same lines again are all skipped', async () => {
    const { routes, stored } = interfaceOnly([]);
    const { page } = await openMonitors(routes);
    await page.getByText('No monitors yet').waitFor();
    const lines = '45.07, 7.69, https://ops.example.net/a\n91, 0\n60.39, 5.32, https://ops.example.net/b';
    const paste = async () => {
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByLabel('Lines').fill(lines);
    };
    await paste();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 to create, 0 skipped, 1 with errors').waitFor();
    await dialog.getByText(/Latitude must be from/).waitFor();
    await dialog.getByRole('button', { name: 'Create 2' }).click();
    await page.getByText('2 of 2 done').waitFor();
    expect(stored.size).toBe(2);
    await page.getByRole('region', { name: 'Create 2 monitors' }).getByRole('button', { name: 'Close' }).click();
    await rowOf(page, 'precipitation_100').waitFor();
    await paste();
    await page.getByText('0 to create, 2 skipped, 1 with errors').waitFor();
  });
});

describe('files', () => {
  it('with other headings are imported by the columns that are chosen', async () => {
    const { routes } = interfaceOnly([]);
    const { page, core } = await openMonitors(routes);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Lines').fill('Ort;Breite;Länge;Marken\nTorino;45,07;7,69;port\nBergen;60,39;5,32;\n');
    await dialog.getByText('Choose the latitude and longitude columns').waitFor();
    const columns = dialog.getByRole('region', { name: 'File columns' });
    for (const [heading, meaning] of [
      ['Breite', 'Latitude'],
      ['Länge', 'Longitude'],
      ['Ort', 'Name'],
      ['Marken', 'Tags (separated by ;)'],
    ] as const)
      await columns.getByLabel(`Meaning of column ${heading}`).selectOption(meaning);
    await dialog.getByText('2 to create, 0 skipped, 0 with errors').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create 2' }).click();
    await page.getByText('2 of 2 done').waitFor();
    expect((await core.client.monitors.list()).monitors).toMatchObject([
      { name: 'Torino', tags: ['port'], geo: { lat: 45.07, lng: 7.69 } },
      { name: 'Bergen', tags: [], geo: { lat: 60.39, lng: 5.32 } },
    ]);
  });

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
    await page.getByText('1 of 1 done').waitFor();
    await page.getByRole('button', { name: 'Bergen yard, precipitation_100' }).waitFor();
    expect(stored.size).toBe(4);
  });

  const choose = async (page: Page, name: string, buffer: Buffer) => {
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'Choose a file…' }).click();
    await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer });
  };

  it('that are not Unicode are read as Windows-1252 after a question that shows a line', async () => {
    const { page, core } = await openMonitors(interfaceOnly([]).routes);
    await choose(
      page,
      'sites.csv',
      Buffer.from('name,lat,lng\r\nBern,46.9,7.4\r\nZürich Höngg,47.4,8.5\r\n', 'latin1'),
    );
    const question = page.getByRole('dialog').getByRole('alert');
    await question.getByText('sites.csv is neither UTF-8 nor UTF-16. Is this line right?').waitFor();
    await question.getByText('Zürich Höngg,47.4,8.5', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await question.getByRole('button', { name: 'Read as Windows-1252' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create 2' }).click();
    await page.getByText('2 of 2 done').waitFor();
    expect((await core.client.monitors.list()).monitors.map(({ name }) => name)).toEqual(['Bern', 'Zürich Höngg']);
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
    await choose(page, 'sites.json', file);
    await page.getByRole('button', { name: 'Create 130' }).click();
    await page.getByText('130 of 130 done').waitFor();
    expect(stored.size).toBe(130);
    const { monitors: listed } = await core.client.monitors.list();
    expect(new Set(listed.map((monitor) => monitor.note))).toEqual(new Set([note]));
  });
});

describe('a list with odd monitors', () => {
  it('shows the others, and says what is wrong', async () => {
    const { routes } = interfaceOnly([]);
    const odd = { id: 'precipitation_2', monitor_type: 'precipitation', callback_uri: 'https://a.example/', geo: null };
    const geo = { type: 'Point', coordinates: [8.5, 47.4, 408] };
    routes['GET /v2/monitors/'] = () => ({
      body: { objects: [{ ...odd, id: 'precipitation_1', geo }, odd], meta: {} },
    });
    const { page } = await openMonitors(routes);
    await rowOf(page, 'precipitation_1').waitFor();
    await page
      .getByRole('alert')
      .getByText(
        'Monitor 2 of the list (precipitation_2) can’t be shown, because the API spec does not allow it: geo: should be an object, but is null.',
      )
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

describe('5,000 monitors', () => {
  it('are shown by the rows in view, filtered and walked by keys to the last one', async () => {
    const { page } = await openMonitors(interfaceOnly(some(5_000)).routes);
    await rowOf(page, 'precipitation_1').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(60);
    await page.getByRole('grid', { name: 'Monitors' }).focus();
    await page.keyboard.press('End');
    await rowOf(page, 'precipitation_5000').waitFor();
    await page.getByLabel('Filter the monitors').fill('precipitation_4321');
    await page.getByText('1 of 5,000 monitors').waitFor();
    await rowOf(page, 'precipitation_4321').waitFor();
  });
});

describe('the table and the map', () => {
  it('keep the buttons of each row in sight, step to a monitor by N, open it by Enter, and start a new one at the cross-hair', async () => {
    const { page } = await openMonitors(interfaceOnly(some(2)).routes);
    await rowOf(page, 'precipitation_1').waitFor();
    // All columns in a narrow window scroll below the buttons of each row, which stay in sight.
    await page.setViewportSize({ width: 1100, height: 700 });
    await showCallbackColumn(page);
    const grid = page.getByRole('grid', { name: 'Monitors' });
    const widths = await grid.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth] as const);
    expect(widths[0]).toBeGreaterThan(widths[1]);
    // A click would scroll it into view automatically.
    const button = page.getByRole('button', { name: 'More actions for precipitation_1' });
    const [frame, box] = [await grid.boundingBox(), await button.boundingBox()];
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
    expect(await grid.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
    await button.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await rowOf(page, 'precipitation_1').getByText('Deleting in a few seconds').waitFor();
    await page.getByRole('button', { name: 'Keep precipitation_1' }).click();
    await page.setViewportSize({ width: 1280, height: 900 });

    await page.getByRole('button', { name: 'Map' }).click();
    const map = page.getByRole('application', { name: 'Monitors on the map' });
    await map.focus();
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /^Monitor precipitation_/ }).waitFor();
    await map.focus();
    await page.keyboard.press('Shift+ArrowUp');
    await page.getByRole('button', { name: /^New monitor at/ }).click();
    await page.getByRole('dialog', { name: 'New monitor' }).waitFor();
  });
});
