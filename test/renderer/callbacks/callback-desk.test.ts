// The callback inspector as testers use it, in a real Chromium over a real receiver.
import { createServer } from 'node:http';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { openScreens, type Screens } from '../screen-harness.ts';
import { listen } from '#test/setup/listen.ts';

const json = { 'content-type': 'application/json' };

async function openCallbacks(): Promise<Screens & { baseUrl: string }> {
  const screens = await openScreens({ hash: '#/callbacks' });
  await screens.page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
  return { ...screens, baseUrl: await screens.receiverUrl() };
}

async function send(baseUrl: string, path: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const body = JSON.stringify({ id: `precipitation_${index}`, text: `number ${index}` });
    // In order, so that the newest is known.
    await fetch(`${baseUrl}${path}`, { method: 'POST', headers: json, body });
  }
}

const rows = (page: Page) => page.getByRole('listbox').getByRole('option');
const kept = (page: Page, count: number) => page.getByText(`${count} stored`, { exact: false }).waitFor();

/** The tester's own server, which records its requests. */
async function startTarget(): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(202, json).end('{"thanks":true}');
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/in`, bodies };
}

describe('the callback inspector', () => {
  it('finds by operators in all that is kept, keeps the search under a name, and follows what arrives', async () => {
    const { page, baseUrl } = await openCallbacks();
    await send(baseUrl, '/hooks/torino', 3);
    await send(baseUrl, '/hooks/genova', 2);
    await kept(page, 5);
    const box = page.getByLabel('Search the callbacks');
    await box.fill('path:torino json:text="number 1"');
    await page.getByText(/^1 callback · /).waitFor();
    // A finished term is a chip, and goes by its cross or by Backspace.
    await box.press('Enter');
    await expect.poll(() => box.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Remove json:text="number 1"' }).click();
    await page.getByText(/^3 callbacks · /).waitFor();
    await box.pressSequentially('-path:genova ');
    await page.getByRole('button', { name: 'Remove -path:genova' }).waitFor();
    await box.press('Backspace');
    await page.getByText(/^3 callbacks · /).waitFor();
    await send(baseUrl, '/hooks/torino', 1);
    await expect.poll(() => rows(page).count()).toBe(4);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Filter name').fill('Torino');
    await page.getByRole('button', { name: 'Save filter' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove path:torino' }).click();
    await box.fill('status:nothing');
    await page.getByText('“status:” must be followed by a status').waitFor();
    // Nothing of “all that are found” while the search means something else than was typed.
    await page.getByRole('toolbar', { name: 'Selected callbacks' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page
      .getByRole('dialog', { name: 'Filters' })
      .getByRole('button', { name: /^Torino/ })
      .click();
    await expect.poll(() => rows(page).count()).toBe(4);
  });

  it('shows the chosen columns, selects by keyboard, compares two, deletes what is selected, and takes it back', async () => {
    const { page, baseUrl } = await openCallbacks();
    await send(baseUrl, '/hooks', 4);
    await kept(page, 4);
    await expect.poll(() => rows(page).first().getByText('127.0.0.1').count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'From' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Sender' }).click();
    await page.keyboard.press('Escape');
    await rows(page).first().getByText('127.0.0.1').waitFor();
    await expect.poll(() => rows(page).first().getByText('precipitation_3').count()).toBe(0);
    // The list takes the keys after the search box.
    for (const key of ['/', 'ArrowDown', 'Home', ' ', 'ArrowDown', ' ']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    // All actions in one line.
    expect((await page.getByRole('toolbar', { name: 'Selected callbacks' }).boundingBox())?.height).toBeLessThan(60);
    await page.emulateMedia({ forcedColors: 'active' });
    const [mark, wanted] = await rows(page)
      .first()
      .locator('[data-on]')
      .evaluate((tick) => {
        const { backgroundColor } = getComputedStyle(tick, '::after');
        (tick as HTMLElement).style.color = 'HighlightText';
        return [backgroundColor, getComputedStyle(tick).color];
      });
    expect(mark).toBe(wanted);
    await page.emulateMedia({ forcedColors: null });
    await page.getByRole('toolbar').getByRole('button', { name: 'Compare' }).click();
    const differences = page.getByRole('region', { name: 'Differences' });
    await differences.getByText('"text": "number 3"').waitFor();
    await differences.getByText('"text": "number 2"').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete 2 callbacks' }).click();
    await kept(page, 2);
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await kept(page, 4);
    await expect.poll(() => rows(page).count()).toBe(4);
    await rows(page).first().click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await kept(page, 3);
    // The deleted one is no longer open, and no error says that it can't be loaded.
    await page.getByRole('button', { name: 'Replay' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('filters by verdict with its count, selects by keys, and names how many it deletes', async () => {
    const { page, baseUrl } = await openCallbacks();
    await send(baseUrl, '/hooks', 4);
    await fetch(`${baseUrl}/plain`, { method: 'PUT' });
    await kept(page, 5);
    const verdicts = page.getByRole('group', { name: 'Verdicts' });
    await verdicts.getByRole('button', { name: 'Invalid 4' }).click();
    await page.getByText(/^4 callbacks · 5 stored/).waitFor();
    await expect.poll(() => rows(page).count()).toBe(4);
    await page.getByRole('listbox').focus();
    for (const key of ['Home', 'Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('Control+A');
    await page.getByText('All 4 selected').waitFor();
    // What arrives afterwards is not selected, counted, or deleted.
    await send(baseUrl, '/hooks', 1);
    await page.getByText(/^5 callbacks · 6 stored/).waitFor();
    await page.getByRole('listbox').press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 4 callbacks' }).click();
    await page.getByText(/^1 callback · 2 stored/).waitFor();
    await page.getByRole('button', { name: 'Remove verdict:invalid' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
  });

  it('sends a callback again, as received and edited, shows each response, and refuses a link-local address', async () => {
    const target = await startTarget();
    const { page, baseUrl } = await openCallbacks();
    await send(baseUrl, '/hooks', 1);
    await rows(page).first().click();
    await page.getByRole('button', { name: 'Replay' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('nowhere');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('starts with http://').waitFor();
    await dialog.getByLabel('URL').fill('http://169.254.169.254/latest/meta-data');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText(/link-local, metadata/).waitFor();
    await dialog.getByLabel('URL').fill(target.url);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText(/responded with 202 after/).waitFor();
    await dialog.getByText('"thanks"').waitFor();
    await dialog.getByText('Edit first').click();
    await dialog.getByRole('textbox', { name: 'Headers' }).fill('no header');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('Line 1 is not a header').waitFor();
    await dialog.getByRole('textbox', { name: 'Headers' }).fill('Content-Type: text/plain');
    await dialog.getByLabel('Body', { exact: true }).fill('edited ü');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => target.bodies).toEqual(['{"id":"precipitation_0","text":"number 0"}', 'edited ü']);
    const differences = dialog.getByRole('region', { name: 'Differences' });
    await differences.getByText('edited ü').waitFor();
    await expect
      .poll(() => differences.locator('[data-kind="new"]').allInnerTexts())
      .toEqual(
        expect.arrayContaining([
          expect.stringContaining('POST /in'),
          expect.stringContaining('Content-Type: text/plain'),
        ]),
      );
    await expect
      .poll(() => differences.locator('[data-kind="gone"]').allInnerTexts())
      .toEqual(expect.arrayContaining([expect.stringContaining('"text": "number 0"')]));
    await page.keyboard.press('Escape');
    await page.getByText('Sent 2').click();
    await page.getByRole('button', { name: /Edited request · 127\.0\.0\.1:\d+ · responded with 202/ }).waitFor();
  });

  it('forwards what arrives to an address, and says how it fares', async () => {
    const target = await startTarget();
    const { page, baseUrl } = await openCallbacks();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Forward…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a URL' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('starts with http://').waitFor();
    await dialog.getByRole('textbox', { name: 'URL' }).fill(target.url);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await send(baseUrl, '/hooks', 2);
    await expect.poll(() => target.bodies.length).toBe(2);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Forward…' }).click();
    await page.getByText('2 sent · 2 accepted').waitFor();
  });

  it('focuses the first field of each dialog, then what is added, and stays in the dialog if a save is refused', async () => {
    const { page } = await openCallbacks();
    const dialog = page.getByRole('dialog');
    const focused = () => dialog.locator(':focus').evaluate((element) => (element as HTMLInputElement).value);
    const open = async (item: string) => {
      await page.getByRole('button', { name: 'More' }).press('Enter');
      // The menu takes the focus some frames later, and a key that is pressed in between would be the first item's.
      const inMenu = page
        .getByRole('menu')
        .locator(':focus')
        .or(page.getByRole('menu').and(page.locator(':focus')));
      await expect.poll(() => inMenu.count()).toBe(1);
      await page.getByRole('menuitem', { name: item }).press('Enter');
    };
    const onButton = async (name: string) =>
      await expect
        .poll(() => dialog.getByRole('button', { name }).evaluate((button) => button.matches(':focus')))
        .toBe(true);

    await open('Forward…');
    await onButton('Add a URL');
    await page.keyboard.press('Enter');
    await page.keyboard.type('http://169.254.169.254/');
    await dialog.getByLabel('Only callbacks to this path').fill('hooks');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await dialog.getByText('Start with /').waitFor();
    await expect.poll(focused).toBe('hooks');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('/hooks/*');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await dialog.getByText('169.254.169.254 is a link-local').waitFor();
    await onButton('Save');
    await dialog.getByRole('button', { name: /^Remove/ }).press('Enter');
    await onButton('Add a URL');
    await page.keyboard.press('Enter');
    await page.keyboard.type('http://127.0.0.1:9/');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await open('Forward…');
    await expect.poll(focused).toBe('http://127.0.0.1:9/');
    await page.keyboard.press('Escape');

    await open('Paths…');
    await onButton('Add a path');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Torino');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await open('Paths…');
    await expect.poll(focused).toBe('Torino');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Response rules: none' }).press('Enter');
    await expect.poll(focused).toBe('off');
    await dialog.getByRole('button', { name: 'Add a rule' }).press('Enter');
    await expect.poll(focused).toBe('Rule 1');
    await dialog.getByRole('button', { name: 'Remove Rule 1' }).press('Enter');
    await onButton('Add a rule');
    await page.keyboard.press('Escape');

    await open('Receiver settings…');
    await expect.poll(focused).toBe('on');
    await page.keyboard.press('Escape');
    await open('Receiver settings…');
    await expect.poll(focused).toBe('on');
  });

  it('names paths, and shows the callbacks of one', async () => {
    const { page, baseUrl } = await openCallbacks();
    await send(baseUrl, '/hooks/torino', 2);
    await send(baseUrl, '/other', 1);
    await kept(page, 3);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Paths…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: '/hooks/torino' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a name').waitFor();
    await dialog.getByLabel('Name').fill('Torino');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Paths…' }).click();
    await page.getByRole('button', { name: 'Show its callbacks' }).click();
    await page.getByText(/^2 callbacks · /).waitFor();
    await page.getByRole('button', { name: 'Remove path:/hooks/torino' }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(2);
  });

  it('shows forms, parts, trees and bytes, keeps a note, and finds it again', async () => {
    const { page, baseUrl } = await openCallbacks();
    await fetch(`${baseUrl}/form`, {
      method: 'POST',
      body: new URLSearchParams([
        ['a', 'ü & x'],
        ['a', '2'],
      ]),
    });
    await rows(page).first().click();
    await page.getByRole('cell', { name: 'ü & x' }).waitFor();
    const parts = new FormData();
    parts.set('photo', new File([new Uint8Array([0, 255, 1])], 'ü.bin'));
    await fetch(`${baseUrl}/parts`, { method: 'POST', body: parts });
    await page.getByRole('option', { name: /parts/ }).click();
    await page.getByRole('heading', { name: 'photo · ü.bin · 3 B' }).waitFor();
    await page.getByText('00 ff 01').waitFor();
    await fetch(`${baseUrl}/tree`, { method: 'POST', headers: json, body: '{"deep":{"list":[1,{"x":null}]}}' });
    await page.getByRole('option', { name: /tree/ }).click();
    await page.getByText('Tree', { exact: true }).click();
    await page.getByRole('button', { name: 'Fold $.deep', exact: true }).waitFor();
    await page.getByLabel('Note').fill('look at this');
    await page.keyboard.press('Control+Enter');
    await page.getByLabel('has a note').waitFor();
    await page.getByLabel('Search the callbacks').fill('note:look');
    await expect.poll(() => page.getByText(/^1 callback · /).count()).toBe(1);
  });

  it('saves a public URL only once a request to it has arrived, removes it, and listens with HTTPS on request', async () => {
    const { page, baseUrl } = await openCallbacks();
    const elsewhere = await startTarget();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Receiver settings…' }).click();
    await page.getByText('There is no secret').waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'URLs for other computers' }).count()).toBe(0);
    const form = page.getByRole('form', { name: 'Public URL' });
    const field = form.getByLabel('Public tunnel URL');
    const keep = form.getByRole('button', { name: 'Test and save' });
    await field.fill(new URL(elsewhere.url).origin);
    await keep.click();
    await form.getByRole('alert').getByText('another server responded with 202').waitFor();
    // The shortest tunnel of all: this machine under its other name.
    const own = baseUrl.replace('127.0.0.1', 'localhost');
    await field.fill(own);
    await keep.click();
    await form.getByText(`Services on the internet can reach this receiver at ${own}.`).waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    await form.getByRole('button', { name: 'Remove URL' }).click();
    await form.getByText('can’t reach this receiver').waitFor();
    await page.getByLabel('HTTPS, with a generated certificate').click();
    await page.getByText('SHA-256 of the CA certificate').waitFor();
    await page.getByText('Listening on https://').waitFor();
  });

  it('draws few of a thousand callbacks that arrive as quickly as they can', async () => {
    const { page, baseUrl, complaints } = await openCallbacks();
    const total = 1_000;
    const post = (n: number) =>
      fetch(`${baseUrl}/flood`, { method: 'POST', headers: json, body: JSON.stringify({ n }) }).then((answer) =>
        answer.arrayBuffer(),
      );
    for (let n = 0; n < total - 1; n += 9) await Promise.all(Array.from({ length: 9 }, (_, index) => post(n + index)));
    // Alone, so that it is the newest.
    await post(total - 1);
    await page.getByText(`${total.toLocaleString('en')} stored`).waitFor();
    // The list is at its top and shows the newest.
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Home');
    await page.getByText(`"n": ${total - 1}`).waitFor();
    await expect.poll(() => rows(page).count()).toBeLessThan(80);
    expect(complaints).toEqual([]);
  });
});
