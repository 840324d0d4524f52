// The monitor manager by hand and by keys: edits that meet others', many at once, imports, 5,000 rows, the map.
import { describe, expect, it } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { BulkRun, BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown } from '../open-app.ts';
import { savedBy } from '../saved-file.ts';
import { AppError, type Stubs } from '../stub-client.ts';
import { listOf, monitorOf, reportOf, runOf } from './monitor-samples.ts';
import { openMonitors, some, type StoredMonitors, uriOf } from './stored-monitors.ts';

const { keyboard } = userEvent;
const rowOf = (id: string) => page.getByRole('row').filter({ has: page.getByText(id, { exact: true }) });
const opener = (id: string) => page.getByRole('button', { name: id, exact: true });
const panelOf = (id: string) => page.getByRole('region', { name: `Monitor ${id}` });
const grid = page.getByRole('grid', { name: 'Monitors' });
const dialog = page.getByRole('dialog');
const filter = page.getByLabelText('Filter the monitors');

async function press(locator: Locator, keys: string): Promise<void> {
  await expectShown(locator);
  locator.element().focus();
  await keyboard(keys);
}

/** It is not among the usual columns. */
async function showCallbackColumn(): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Callback URL' }).click();
  await keyboard('{Escape}');
}

/** As core carries an action out, at once; the monitors in `failing` are refused until a retry. */
function bulkStubs(stored: StoredMonitors, failing = new Set<string>()): Stubs {
  let title = '';
  let tasks: BulkTask[] = [];
  let before: [string, AppMonitor][] = [];
  const carryOut = (task: BulkTask): BulkRun['failures'] => {
    if (task.kind === 'create') {
      const id = `precipitation_${100 + stored.size}`;
      stored.set(id, monitorOf(id, { geo: task.geo, callbackUri: uriOf(task.callback), ...task.notes }));
    }
    if (task.kind === 'callback' && failing.has(task.id))
      return [{ label: task.id, message: 'The service responded with status 500.' }];
    if (task.kind === 'callback')
      stored.set(task.id, monitorOf(task.id, { ...stored.get(task.id), callbackUri: uriOf(task.callback) }));
    return [];
  };
  const run = (name = title) => {
    const failures = tasks.flatMap(carryOut);
    const { length: failed } = failures;
    const canUndo = tasks.some(({ kind }) => kind === 'callback');
    return runOf(tasks.length, { title: name, done: tasks.length - failed, failed, canUndo, failures });
  };
  return {
    monitorBulk: {
      start(asked) {
        ({ title, tasks } = asked);
        before = [...stored];
        return run();
      },
      retry() {
        failing.clear();
        return run();
      },
      undo() {
        const result = run(`Undo: ${title}`);
        for (const [id, monitor] of before) stored.set(id, monitor);
        return result;
      },
      close: () => ({}),
    },
  };
}

describe('with only the keyboard', () => {
  it('arrows move, Space marks, Enter opens, and Delete holds the delete, which is undone from its row after a reload', async () => {
    const { stored } = openMonitors(some(3));
    await expectShown(rowOf('precipitation_1'));
    await press(grid, '{ArrowDown}{ArrowDown} ');
    await expectShown(page.getByRole('toolbar').getByText('1 selected'));
    await expect.element(rowOf('precipitation_2')).toHaveAttribute('aria-selected', 'true');
    // A second time takes it out again.
    await keyboard(' ');
    await expectGone(page.getByRole('toolbar').getByText('1 selected'));
    await keyboard('{Enter}');
    await expectShown(panelOf('precipitation_2'));
    await press(grid, '{Delete}');
    await expectShown(rowOf('precipitation_2').getByText('Deleting in a few seconds'));
    const { stored: kept } = openMonitors([...stored.values()]);
    await page.getByRole('button', { name: 'Keep precipitation_2' }).click();
    await expectGone(page.getByText('Deleting in a few seconds'));
    expect(kept.get('precipitation_2')?.deletion).toBeNull();
  });

  it('the details take the list’s place in a small window, and give it back', async () => {
    openMonitors(some(3));
    await page.viewport(853, 533);
    await press(grid, '{ArrowDown}{Enter}');
    await expect.poll(() => document.activeElement?.textContent).toBe('Back to the list');
    await keyboard('{Escape}');
    await expect.poll(() => document.activeElement?.role).toBe('grid');
  });

  it('“Set callback URL to this app” in the details says what it did', async () => {
    const redirected = monitorOf('precipitation_1', { callbackUri: 'http://127.0.0.1:4545/a', toThisApp: true });
    const { stored } = openMonitors(some(1), {
      update({ id }) {
        stored.set(id, redirected);
        return redirected;
      },
    });
    await press(opener('precipitation_1'), '{Enter}');
    const button = panelOf('precipitation_1').getByRole('button', { name: 'Set callback URL to this app' });
    await press(button, '{Enter}');
    await expectShown(page.getByText('Callback URL for precipitation_1 set to this app'));
    await expectGone(button);
  });
});

describe('a new monitor', () => {
  it('is for a newcomer one that calls this app, and is stopped by bad coordinates and URLs', async () => {
    const created: object[] = [];
    const { stored } = openMonitors([], {
      create(input) {
        created.push(input);
        const monitor = monitorOf('precipitation_1', { geo: input.geo, callbackUri: uriOf(input.callback) });
        stored.set(monitor.id, monitor);
        return monitor;
      },
    });
    await page.getByRole('button', { name: 'Create monitor', exact: true }).click();
    await expectShown(opener('precipitation_1'));
    expect(created).toMatchObject([{ geo: { lat: 45.0703, lng: 7.6869 }, callback: { kind: 'this-app' } }]);
    await page.getByRole('button', { name: 'New monitor' }).click();
    await page.getByLabelText('Latitude').fill('91');
    await dialog.getByText('Another URL').click();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await expectShown(page.getByText('Latitude must be from −90 to 90. Are latitude and longitude swapped?'));
    await expectShown(page.getByText('Enter a URL, for instance'));
    await expectAccessible('a new monitor with wrong fields');
    await expect.element(page.getByLabelText('Latitude')).toHaveFocus();
    expect(created).toHaveLength(1);
  });
});

describe('an edit', () => {
  it('says that its monitor is gone, whose details close', async () => {
    const { stored } = openMonitors(some(1), {
      update() {
        stored.clear();
        throw new AppError('NOT_FOUND', 'There is no precipitation_1.');
      },
    });
    await expectShown(rowOf('precipitation_1'));
    await press(grid, '{Home}{Enter}');
    const panel = panelOf('precipitation_1');
    await panel.getByText('Edit', { exact: true }).click();
    await panel.getByLabelText('Latitude').fill('12');
    await panel.getByRole('button', { name: 'Save (PATCH)' }).click();
    await expectShown(page.getByText('Couldn’t save precipitation_1'));
    await expectGone(panel);
  });
});

describe('many at once', () => {
  it('each row has its own result, and what failed is tried again', async () => {
    const { stored, stub } = openMonitors(some(6));
    const stubs = bulkStubs(stored, new Set(['precipitation_3']));
    stub(stubs);
    await page.getByRole('checkbox', { name: 'Select all shown' }).click();
    await page.getByRole('button', { name: 'Set callback URL…' }).click();
    await dialog.getByText('Another URL').click();
    const address = dialog.getByRole('textbox', { name: 'Callback URL' });
    await address.fill('all.example.net');
    await userEvent.keyboard('{Enter}');
    await expect.element(address).toHaveAttribute('aria-invalid', 'true');
    await address.fill('https://all.example.net/');
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await expectShown(preview.getByText('https://all.example.net/').first());
    await dialog.getByRole('button', { name: 'Set the callback URL for 6 monitors' }).click();
    const results = page.getByRole('region', { name: 'Set the callback URL for 6 monitors', exact: true });
    await expectShown(results.getByText('5 of 6 done, 1 failed'));
    await expectShown(results.getByRole('region', { name: 'Failures' }).getByText(/status 500/));
    stub({ monitorBulk: { retry: () => Promise.reject(new AppError('NETWORK', 'No connection.')) } });
    await results.getByRole('button', { name: 'Retry 1' }).click();
    await expectShown(page.getByText(/^Couldn’t retry the action/));
    stub(stubs);
    await results.getByRole('button', { name: 'Retry 1' }).click();
    await expectShown(results.getByText('6 of 6 done'));
    expect(new Set([...stored.values()].map(({ callbackUri }) => callbackUri))).toEqual(
      new Set(['https://all.example.net/']),
    );
    await results.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => stored.get('precipitation_1')?.callbackUri).toMatch(/rain\/1$/);
    await filter.fill('precipitation_2');
    const bar = page.getByRole('toolbar', { name: 'Selected monitors' });
    await expectShown(bar.getByText('1 selected'));
    await expectShown(bar.getByText(/^Hidden by the filter and left out: .+, .+, .+, and 2 more$/));
  });

  const openImport = async () => {
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await expectShown(dialog.getByLabelText('Lines'));
    return dialog.getByLabelText('Lines');
  };

  const upload = async (file: File) => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('There is no button for files.');
    await userEvent.upload(input, file);
  };

  it('a file with other headings is imported by the columns that are chosen', async () => {
    const { stored, stub } = openMonitors([]);
    stub(bulkStubs(stored));
    await (await openImport()).fill('Ort;Breite;Länge;Marken\nTorino;45,07;7,69;port\nBergen;60,39;5,32;\n');
    await expectShown(dialog.getByText('Choose the latitude and longitude columns'));
    await expectAccessible('the columns of an import');
    const columns = dialog.getByRole('region', { name: 'File columns' });
    for (const [heading, meaning] of [
      ['Breite', 'Latitude'],
      ['Länge', 'Longitude'],
      ['Ort', 'Name'],
      ['Marken', 'Tags (separated by ;)'],
    ] as const)
      await columns.getByLabelText(`Meaning of column ${heading}`).selectOptions(meaning);
    await expectShown(dialog.getByText('2 to create, 0 skipped, 0 with errors'));
    await dialog.getByRole('button', { name: 'Create 2' }).click();
    await expectShown(page.getByText('Create 2 monitors: 2 done'));
    expect([...stored.values()]).toMatchObject([
      { name: 'Torino', tags: ['port'], geo: { lat: 45.07, lng: 7.69 } },
      { name: 'Bergen', tags: [], geo: { lat: 60.39, lng: 5.32 } },
    ]);
  });

  it('the monitors shown are saved as JSON and CSV; the CSV, read by the import’s button, plans nothing but its new line', async () => {
    const { stored, stub } = openMonitors(some(3));
    stub(bulkStubs(stored));
    const save = (words: string) =>
      savedBy(async () => {
        await page.getByRole('button', { name: 'Export', exact: true }).click();
        await page.getByRole('menuitem', { name: words }).click();
      });
    await filter.fill('_3');
    await expectShown(page.getByText('1 of 3 monitors'));
    const json = await save('Export 1 monitor in the list as JSON');
    expect(json.name).toMatch(/^monitors-\d{4}-\d\d-\d\d\.json$/);
    const exported = [{ id: 'precipitation_3', monitor_type: 'precipitation' }];
    expect(JSON.parse(await json.blob.text())).toMatchObject({ monitors: exported });
    await filter.fill('');
    const csv = await (await save('Export 3 monitors in the list as CSV')).blob.text();
    await openImport();
    await upload(new File([`${csv},Bergen yard,60.39,5.32,https://ops.example.net/b,,\r\n`], 'monitors.csv'));
    await expectShown(dialog.getByText('1 to create, 3 skipped, 0 with errors'));
    await dialog.getByRole('button', { name: 'Create 1' }).click();
    await expectShown(opener('Bergen yard, precipitation_103'));
    expect(stored.size).toBe(4);
  });

  it('with more text than one message to core may have are sent in parts', async () => {
    const { stub } = openMonitors([]);
    const parts: { tasks: readonly BulkTask[]; part?: { isLast: boolean } | undefined }[] = [];
    stub({ monitorBulk: { start: (asked) => (parts.push(asked), runOf(130)), close: () => ({}) } });
    const monitors = Array.from({ length: 130 }, (_, index) => ({
      geo: { lat: index / 2, lng: 7 },
      callback_uri: `https://ops.example.net/${index}`,
      note: 'é'.repeat(9_000),
    }));
    await openImport();
    await upload(new File([JSON.stringify({ monitors })], 'sites.json'));
    await dialog.getByRole('button', { name: 'Create 130' }).click();
    await expect.poll(() => parts.at(-1)?.part?.isLast).toBe(true);
    expect(parts.flatMap(({ tasks }) => tasks)).toHaveLength(130);
    expect(parts.filter(({ part }) => part?.isLast)).toHaveLength(1);
    const bytes = parts.map((part) => new TextEncoder().encode(JSON.stringify(part)).length);
    expect(Math.max(...bytes)).toBeLessThan(1_000_000);
  });

  it('a file that is not Unicode is read as Windows-1252 after a question that shows a line', async () => {
    const { stored, stub } = openMonitors([]);
    stub(bulkStubs(stored));
    await openImport();
    const text = 'name,lat,lng\r\nBern,46.9,7.4\r\nZürich Höngg,47.4,8.5\r\n';
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    await upload(new File([bytes], 'sites.csv', { type: 'text/plain' }));
    const question = dialog.getByRole('alert');
    await expectShown(question.getByText('sites.csv is neither UTF-8 nor UTF-16. Is this line right?'));
    await expectShown(question.getByText('Zürich Höngg,47.4,8.5', { exact: true }));
    await question.getByRole('button', { name: 'Read as Windows-1252' }).click();
    await expectGone(question);
    await page.getByRole('button', { name: 'Create 2' }).click();
    await expectShown(page.getByText('Create 2 monitors: 2 done'));
    expect([...stored.values()].map(({ name }) => name)).toEqual(['Bern', 'Zürich Höngg']);
  });
});

describe('the list', () => {
  it('with odd monitors shows the others, and says what is wrong', async () => {
    const words = 'Monitor 2 of the list (precipitation_2) can’t be shown.';
    openMonitors([], { list: () => ({ ...listOf(some(1)), problems: [words] }) });
    await expectShown(rowOf('precipitation_1'));
    await expectShown(page.getByRole('alert').getByText(words));
  });

  it('of 5,000 monitors has the rows in view, and is filtered and walked by keys to the last one', async () => {
    openMonitors(some(5_000));
    await expectShown(rowOf('precipitation_1'));
    await expect.poll(() => page.getByRole('row').length).toBeLessThan(60);
    await press(grid, '{End}');
    await expectShown(rowOf('precipitation_5000'));
    await filter.fill('precipitation_4321');
    await expectShown(page.getByText('1 of 5,000 monitors'));
    await expectShown(rowOf('precipitation_4321'));
  });

  it('keeps the buttons of each row in sight while its columns scroll below them', async () => {
    openMonitors(some(2), { deliveryStates: () => reportOf([]) });
    await expectShown(rowOf('precipitation_1'));
    await page.viewport(1100, 700);
    await showCallbackColumn();
    const frame = grid.element();
    await expect.poll(() => frame.scrollWidth - frame.clientWidth).toBeGreaterThan(0);
    const button = page.getByRole('button', { name: 'Send test event for precipitation_1' });
    const [outer, inner] = [frame, button.element()].map((one) => one.getBoundingClientRect());
    expect(inner?.right).toBeLessThanOrEqual(outer?.right ?? 0);
    expect(frame.scrollLeft).toBe(0);
  });

  it('has a map, which steps to a monitor by N, opens it by Enter, and starts a new one at the cross-hair', async () => {
    openMonitors(some(2));
    await page.getByRole('button', { name: 'Map' }).click();
    const map = page.getByRole('application', { name: 'Monitors on the map' });
    // It opens around the monitors, with their part of the world.
    const shown = () =>
      (map.element().querySelector('svg[viewBox]')?.getAttribute('viewBox') ?? '').split(' ').map(Number);
    await expect.poll(() => shown()[2]).toBeLessThan(90);
    const [west = 0, , across = 0] = shown();
    expect(west + across / 2).toBeCloseTo(-169.25, 1);
    await expectAccessible('the map of the monitors');
    await press(map, 'n{Enter}');
    await expectShown(page.getByRole('region', { name: /^Monitor precipitation_/ }));
    await press(map, '{Shift>}{ArrowUp}{/Shift}');
    await page.getByRole('button', { name: /^New monitor at/ }).click();
    await expectShown(page.getByRole('dialog', { name: 'New monitor' }));
  });
});
