// The list of callbacks as testers use it: search, columns, selection, deletion, and what arrives meanwhile.
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectGone, expectShown } from '../open-app.ts';
import { AppError, type Stubs } from '../stub-client.ts';
import { openCallbacks } from './stored-callbacks.ts';

const { keyboard } = userEvent;
const list = page.getByRole('listbox');
const rows = list.getByRole('option');
const box = page.getByLabelText('Search the callbacks');
const button = (name: string | RegExp) => page.getByRole('button', { name });
const selection = page.getByRole('toolbar', { name: 'Selected callbacks' });
const focusList = () => (list.element() as HTMLElement).focus();

const numbered = (target: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ target, body: `{"text":"number ${index}"}` }));

it('finds by operators, keeps the search under a name, and follows what arrives', async () => {
  const { receive } = openCallbacks([...numbered('/hooks/torino', 3), ...numbered('/hooks/genova', 2)]);
  await expectShown(page.getByText(/5 stored/));
  await box.fill('path:torino json:text="number 1"');
  await expectShown(page.getByText(/^1 callback · /));
  await box.fill('path:torino');
  await expectShown(page.getByText(/^3 callbacks · /));
  receive(...numbered('/hooks/torino', 1), ...numbered('/hooks/genova', 1));
  await expect.poll(() => rows.length).toBe(4);
  await button('Filters').click();
  await page.getByLabelText('Filter name').fill('Torino');
  await button('Save filter').click();
  await keyboard('{Escape}');
  await box.fill('');
  await expect.poll(() => rows.length).toBe(7);
  // A value may still follow, but not after a space.
  await box.fill('status:');
  await expectGone(page.getByText('Enter a value right after'));
  await box.fill('status: ');
  await expectShown(page.getByText('“status:”: Enter a value right after “status:”, without a space.'));
  await box.fill('status:nothing');
  await expectShown(page.getByText('“status:” must be followed by a status'));
  // Nothing of “all that are found” while the search means something else than was typed.
  await expectGone(selection);
  await button('Filters').click();
  await page
    .getByRole('dialog', { name: 'Filters' })
    .getByRole('button', { name: /^Torino/ })
    .click();
  await expect.poll(() => rows.length).toBe(4);
  await expect.element(box).toHaveValue('path:torino');
});

it('shows the chosen columns, selects by keyboard, compares two, deletes what is selected, and takes it back', async () => {
  openCallbacks(numbered('/hooks', 4));
  await expect.poll(() => rows.length).toBe(4);
  await expectGone(rows.first().getByText('127.0.0.1'));
  await button('Columns').click();
  for (const name of ['From', 'Sender']) await page.getByRole('menuitemcheckbox', { name }).click();
  await keyboard('{Escape}');
  await expectShown(rows.first().getByText('127.0.0.1'));
  // The list takes the keys after the search box.
  await keyboard('/{ArrowDown}{Home} {ArrowDown} ');
  await expectShown(page.getByText('2 selected'));
  // A second time takes one out again.
  await keyboard(' ');
  await expectShown(page.getByText('1 selected'));
  await keyboard(' ');
  await expectShown(page.getByText('2 selected'));
  // All actions in one line.
  expect(selection.element().getBoundingClientRect().height).toBeLessThan(60);
  await selection.getByRole('button', { name: 'Compare' }).click();
  const differences = page.getByRole('region', { name: 'Differences' });
  await expectShown(differences.getByText('"text": "number 3"'));
  await expectShown(differences.getByText('"text": "number 2"'));
  await keyboard('{Escape}');
  await selection.getByRole('button', { name: 'Delete 2 callbacks' }).click();
  await expect.poll(() => rows.length).toBe(2);
  await button('Undo').click();
  await expect.poll(() => rows.length).toBe(4);
  await rows.first().click();
  await button('More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect.poll(() => rows.length).toBe(3);
  // The deleted one is no longer open, and no error says that it can't be loaded.
  await expectGone(button('Replay'));
  await expectGone(page.getByRole('alert'));
});

it('exports what the search finds, and everything without one', async () => {
  const asked: unknown[] = [];
  const exportPage: NonNullable<Stubs['callbacks']>['exportPage'] = ({ choice }) => {
    asked.push(choice);
    throw new AppError('STORAGE', 'No file is needed.');
  };
  openCallbacks(numbered('/hooks', 2), { callbacks: { exportPage } });
  await expectShown(page.getByText(/2 stored/));
  for (const query of ['', 'path:hooks']) {
    await box.fill(query);
    // What the list says is the same before and after the search.
    await expect.poll(() => new URLSearchParams(location.hash.split('?')[1]).get('q') ?? '').toBe(query);
    await expectShown(page.getByText(/^2 callbacks · /));
    await button('Export').first().click();
    await page.getByRole('menuitem', { name: 'HAR' }).click();
    await expect.poll(() => asked.at(-1)).toEqual({ kind: 'query', query, throughId: 2 });
  }
});

it('filters by verdict with its count, selects by keys, and names how many it deletes', async () => {
  const invalid = { verdict: 'error', verdictName: 'invalid' } as const;
  const { receive, stored } = openCallbacks([...numbered('/hooks', 4).map((one) => ({ ...one, ...invalid })), {}]);
  await page.getByRole('group', { name: 'Verdicts' }).getByRole('button', { name: 'Invalid 4' }).click();
  await expectShown(page.getByText(/^4 callbacks · 5 stored/));
  await expect.poll(() => rows.length).toBe(4);
  focusList();
  await keyboard('{Home}{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await expectShown(page.getByText('3 selected'));
  await keyboard('{Control>}a{/Control}');
  await expectShown(page.getByText('All 4 selected'));
  // What arrives afterwards is not selected, counted, or deleted.
  receive(invalid);
  await expectShown(page.getByText(/^5 callbacks · 6 stored/));
  focusList();
  await keyboard('{Delete}');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 4 callbacks' }).click();
  await expectShown(page.getByText(/^1 callback · 2 stored/));
  await page.getByRole('button', { name: /^Invalid/ }).click();
  await expect.poll(() => rows.length).toBe(2);
  expect(stored().map(({ id }) => id)).toEqual([6, 5]);
  // What a new search hides is no longer selected.
  focusList();
  await keyboard('{Control>}a{/Control}');
  await expectShown(page.getByText('All 2 selected'));
  // A single one after all of them starts a new selection.
  await keyboard('{Home} ');
  await expectShown(page.getByText('1 selected', { exact: true }));
  await keyboard('{Control>}a{/Control}');
  await expectShown(page.getByText('All 2 selected'));
  await box.fill('verdict:invalid');
  await expectShown(page.getByText(/^1 callback · 2 stored/));
  await expectGone(page.getByText('All 2 selected'));
  await box.fill('path:nowhere');
  await expect.poll(() => rows.length).toBe(0);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Select all' }).click();
  await expect.element(button('Delete 0 callbacks')).toBeDisabled();
});

it('does not move once scrolled, shows how many arrived, and draws few of a thousand', async () => {
  const { receive } = openCallbacks(numbered('/hooks/try', 60));
  await expectShown(page.getByText(/60 stored/));
  focusList();
  await keyboard('{PageDown}{PageDown}{PageDown}');
  await expectShown(page.getByRole('heading', { name: 'POST /hooks/try' }));
  receive(...numbered('/hooks/new', 3));
  await button('3 new').click();
  await expectShown(page.getByText(/63 stored/));
  await expectShown(page.getByRole('heading', { name: 'POST /hooks/try' }));
  for (let piece = 0; piece < 10; piece += 1) receive(...numbered('/hooks/flood', 94));
  await expectShown(page.getByText(/1,003 stored/));
  focusList();
  await keyboard('{Home}');
  await expectShown(page.getByText('"number 93"'));
  await expect.poll(() => rows.length).toBeLessThan(80);
});

it('shows forms, parts, and a hostile body as text, keeps a note, and finds it again', async () => {
  const typed = (type: string) => ({ headers: [['content-type', type]] as [string, string][] });
  const part = 'content-disposition: form-data; name="photo"; filename="\xC3\xBC.bin"\r\n\r\n\x00\xFF\x01';
  const hostile = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
  openCallbacks([
    { target: '/form', ...typed('application/x-www-form-urlencoded'), body: 'a=%C3%BC+%26+x&a=2' },
    {
      target: '/parts',
      ...typed('multipart/form-data; boundary=x'),
      bodyBase64: btoa(`--x\r\n${part}\r\n--x--`),
    },
    { target: '/<b>x</b>', ...typed('text/html'), body: hostile },
  ]);
  await page.getByRole('option', { name: /form/ }).click();
  await expectShown(page.getByRole('cell', { name: 'ü & x' }));
  await page.getByRole('option', { name: /parts/ }).click();
  await expectShown(page.getByRole('heading', { name: 'photo · ü.bin · 3 B' }));
  await expectShown(page.getByText('00 ff 01'));
  await rows.first().click();
  await expect.element(page.getByRole('region', { name: 'Body', exact: true })).toHaveTextContent(hostile);
  expect(document.title).not.toBe('owned');
  await page.getByLabelText('Note').fill('look at this');
  await keyboard('{Control>}{Enter}{/Control}');
  await expectShown(page.getByLabelText('has a note'));
  await box.fill('note:look');
  await expectShown(page.getByText(/^1 callback · /));
});

it('stops a search that lasts', async () => {
  openCallbacks([{}], { callbacks: { search: () => new Promise(() => {}) } });
  await expectShown(rows.first());
  await box.fill('path:hooks');
  const searching = page.getByRole('status').filter({ hasText: /^Searching, 0 callbacks so far, / });
  await searching.getByRole('button', { name: 'Cancel' }).click();
  await expectShown(page.getByText(/· 1 stored · Search canceled/));
});

it('copies the shown code of the chosen tool, and says so', async () => {
  openCallbacks([{ target: '/hooks/copied' }]);
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  await rows.first().click();
  for (const [tool, start] of [
    ['cURL', /^curl /],
    ['HTTPie', /\bhttp /],
  ] as const) {
    await button('Copy as…').click();
    const dialog = page.getByRole('dialog', { name: 'Copy callback 1' });
    await dialog.getByText(tool, { exact: true }).click();
    const shown = dialog.getByLabelText(`The callback as ${tool}`).element().textContent;
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await expectShown(page.getByText(`Callback copied as ${tool}`));
    expect(copied.at(-1)).toMatch(start);
    expect(copied.at(-1)).toContain('/hooks/copied');
    expect(shown.replaceAll(/\s/g, '')).toContain(copied.at(-1)?.replaceAll(/\s/g, ''));
  }
});
