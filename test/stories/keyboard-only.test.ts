// The stories of the user guide with the keyboard only, one after the other on one host and one page. keyboard-tools.test.ts has those
// about tools.
import { readFile, writeFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { openGuide } from './keyboard.ts';

const guide = openGuide({ copies: true });
const { page, press, write, tabTo, enter, type, run, dialog, closed, escape, saved } = guide;

it('a newcomer copies the first callback as cURL, and finds again what was run last', async () => {
  await guide.createMonitor(1);
  await guide.makeItRain();
  await page().getByRole('button', { name: 'Callbacks, 1 unread' }).waitFor();
  await run('newest', /^Open the newest callback/);
  const callback = page().getByRole('region', { name: 'Callback', exact: true });
  await callback.getByText(/"id": "precipitation_\d+"/).waitFor();
  await run('copy curl', /^Copy the callback as cURL/);
  await page().getByText('Callback copied as cURL').waitFor();
  const copied = await page().evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^curl [^]*\/hooks\/[^]*"precipitation_\d+"/);
  await page().reload();
  await callback.waitFor();
  await press('Control+k');
  const recent = page().getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect.poll(() => recent.first().textContent()).toMatch(/^Copy the callback as cURL/);
  expect(await recent.count()).toBe(4);
  await escape();
});

it('reads a forecast, compares it with a new one, and exports it as a table', async () => {
  await run('go to forecast', /Forecast/);
  await press('/');
  await write('bergen');
  await page()
    .getByRole('option', { name: /Bergen.*Norway/ })
    .waitFor();
  await press('Enter');
  await expect.poll(() => page().url()).toContain('60.3');
  const slider = page().getByRole('slider');
  const fetch = page().getByRole('button', { name: /Fetch/ }).first();
  await slider.waitFor();
  await expect.poll(() => fetch.isEnabled()).toBe(true);
  await tabTo(/^Forecast points$/);
  await press('Home');
  const before = await slider.getAttribute('aria-valuetext');
  await press('ArrowRight');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toBe(before);
  await press('T');
  await page().getByRole('table').first().waitFor();
  await press('T');
  await slider.waitFor();

  await press('R');
  await expect.poll(() => fetch.isEnabled()).toBe(true);
  await press('C');
  const comparison = page().getByRole('region', { name: 'Compare' });
  const sides = comparison.getByRole('list', { name: 'Compared forecasts' }).locator('select');
  // Two sides, and the choice of a third.
  await expect.poll(() => sides.count()).toBe(3);
  await sides.last().focus();
  await press('ArrowDown');
  await expect.poll(() => sides.count()).toBe(4);
  await enter(/^Close the comparison$/);
  await slider.waitFor();

  await enter(/^More$/);
  const { text } = await saved(() => enter(/^Save \d+ points, CSV$/));
  expect(text.split('\n')[0]).toMatch(/^timestamp,/);
  expect(text.trim().split('\n').length).toBeGreaterThan(70);
});

it('works on monitors: edits one, takes a delete back, tags both, undoes it, and exports the selection', async () => {
  await guide.createMonitor(2);
  await run('go to monitors', /Monitors/);
  const grid = page().getByRole('grid', { name: 'Monitors' });
  await grid.focus();
  await press('ArrowDown', 'Enter');
  await tabTo(/^Overview$/);
  await press('ArrowRight');
  await tabTo(/^Callback URL/);
  await press('Control+a');
  await write('https://ops.example.net/rain');
  await enter(/^Save \(PATCH\)$/);
  await page()
    .getByText(/^Saved precipitation_\d+/)
    .first()
    .waitFor();
  await grid.focus();
  // Closes the details, which leave less room for columns.
  await press('Escape', 'Delete');
  await enter(/^(Keep precipitation_|Undo$)/);
  await expect.poll(() => grid.getByText('Deleting in a few seconds').count()).toBe(0);

  await grid.focus();
  await press('Control+a');
  await guide.choose(/^More$/, /^Tags…$/);
  await page().getByLabel('Add tags').and(page().locator(':focus')).waitFor();
  await write('port');
  await press('Enter');
  await enter(/^Change the tags for 2 monitors$/);
  await closed();
  const tags = () => grid.getByText('port', { exact: true }).count();
  await expect.poll(tags).toBe(2);
  await enter(/^Undo$/);
  await expect.poll(tags).toBe(0);
  const { text } = await saved(() => guide.choose(/^More$/, /^Export as CSV$/));
  expect(text.trim().split('\n')).toHaveLength(3);
  await enter(/^Clear the selection$/);
});

it('controls the sandbox: the clock, rain, and a fault', async () => {
  await run('go to sandbox', /Sandbox/);
  await enter(/^1 h ahead$/);
  await page()
    .getByText(/clock moved 1 h ahead/)
    .waitFor();
  await guide.makeItRain();
  await page()
    .getByRole('button', { name: /^Callbacks, \d+ unread/ })
    .waitFor();
  await tabTo(/^Slow$/);
  await press('ArrowRight', 'ArrowRight');
  await enter(/^Start fault$/);
  const fault = page()
    .getByRole('status')
    .filter({ hasText: /^Fault active: / });
  await fault.waitFor();
  await enter(/^Stop fault$/);
  await expect.poll(() => fault.count()).toBe(0);
});

it('holds a request by a rule, responds to it by hand, and sends it again, edited', async () => {
  await run('response rules', /^Edit response rules/);
  await dialog(/rules/i).waitFor();
  await enter(/^Add/);
  await type(/^Path/, '/hooks/held');
  await type(/^Responses/, 'hold for 60 s');
  await enter(/^Save$/);
  await closed();
  const answered = fetch(`${await guide.receiverUrl()}/hooks/held`, { method: 'POST', body: '{}' });
  await run('newest callback', /^Open the newest callback/);
  await page().getByRole('region', { name: 'Held requests' }).waitFor();
  await enter(/^Respond…$/);
  await dialog(/^Respond to request/)
    .locator(':focus')
    .waitFor();
  await type(/^Status/, '418');
  await type(/^Headers/, 'not a header');
  await type(/^Body/, 'typed');
  await enter(/^Send response$/);
  await page().getByText('Line 1 is not a header').waitFor();
  await type(/^Headers/, 'X-Typed: 1');
  await enter(/^Send response$/);
  const response = await answered;
  expect([response.status, response.headers.get('x-typed'), await response.text()]).toEqual([418, '1', 'typed']);
  await closed();

  await run('newest callback', /^Open the newest callback/);
  await run('replay callback', /^Replay the callback/);
  const replay = dialog('Replay this callback');
  await replay.getByLabel('URL').and(page().locator(':focus')).waitFor();
  await press('Control+a');
  await write(`${await guide.receiverUrl()}/hooks/replayed`);
  const chosen = replay.getByRole('radio', { name: 'Unchanged' });
  await expect
    .poll(async () => {
      await press('Shift+Tab');
      return chosen.evaluate((radio) => radio === document.activeElement);
    })
    .toBe(true);
  await press('ArrowRight');
  await tabTo(/^Headers/);
  await press('Control+End');
  await write('\nx-story: 1');
  await enter(/^Send$/);
  await replay.getByRole('region', { name: 'Response' }).waitFor();
  await escape();
  // What was sent is stored as a test, and the details list it.
  await page().getByText('Sent 1', { exact: true }).waitFor();
});

it('signs in as a user on the service’s page, and refreshes the application’s token', async () => {
  await run('go to access', /Access/);
  await enter(/^Show the sandbox’s account$/);
  const account = page().getByRole('group', { name: 'The sandbox’s account' }).locator('code');
  await account.nth(1).waitFor();
  const [username = '', password = ''] = await account.allInnerTexts();
  await enter(/^Sign in with my browser$/);
  await page().getByRole('link', { name: 'Open sign-in page' }).waitFor();
  await tabTo(/^Open sign-in page$/);
  const [signIn] = await Promise.all([page().context().waitForEvent('page'), press('Enter')]);
  await signIn.getByLabel(/^Username/).focus();
  await signIn.keyboard.type(username);
  await signIn.keyboard.press('Tab');
  await signIn.keyboard.type(password);
  await signIn.keyboard.press('Enter');
  await signIn.getByRole('button', { name: 'Allow' }).press('Enter');
  const token = page().getByRole('region', { name: 'User token' });
  await token.getByText('Valid', { exact: true }).waitFor();
  await signIn.close();
  await enter(/^Refresh now$/);
  await page().getByText('New token received').waitFor();
  expect(await page().content()).not.toMatch(/"(access|refresh)_token":"[^"•*]/);
});

it('adds a connection, tests it, exports it without its secret, and imports it', async () => {
  await run('new connection', /^New connection/);
  await dialog('New connection').waitFor();
  await type(/^Name/, 'Staging');
  await type(/^(Base|API) (URL|address)/, 'http://127.0.0.1:9');
  await type(/^Sign-in URL/, 'http://127.0.0.1:9');
  await type(/^Client id/i, 'demo');
  await type(/^Client secret/, 'hush hush');
  await press('Enter');
  await page().getByText('Created Staging').waitFor();
  await run('go to connections', /Connections/);
  await enter(/^Test Staging$/);
  await page()
    .getByText(/Nothing is responding at 127\.0\.0\.1:9/)
    .first()
    .waitFor();
  const { path, text } = await saved(() => enter(/^Export$/));
  expect(text).toContain('"Staging"');
  expect(text).not.toContain('hush');
  // The file of another computer, whose connection has another name.
  await writeFile(path, text.replace('"Staging"', '"Theirs"'));
  await guide.choosesFile(path, 'team.json', () => enter(/^Import…$/));
  await page().getByText('1 connection imported').waitFor();
});

it('filters the traffic and sends a request again', async () => {
  await run('filter requests', /^Filter requests/);
  await page().locator('main input:focus').waitFor();
  // Those of Bergen; the test of the new connection has sent one elsewhere.
  await write('location_lat=60.39');
  const list = page().getByRole('listbox', { name: /^Requests, newest first/ });
  await expect
    .poll(async () => {
      const shown = await list.getByRole('option').allTextContents();
      return shown.length > 0 && shown.every((row) => row.includes('/weather/'));
    })
    .toBe(true);
  await expect
    .poll(async () => {
      await press('Tab');
      return list.evaluate((element) => element === document.activeElement);
    })
    .toBe(true);
  await press('ArrowDown');
  const before = page().url();
  await enter(/^Send again$/);
  await expect.poll(() => page().url()).not.toBe(before);
});

it('changes a setting, and prepares diagnostics', async () => {
  await run('density', /^Density/);
  await type(/^Search settings/, 'temperature');
  await tabTo(/^System$/);
  await press('ArrowRight');
  await page().getByRole('radio', { name: '°C', checked: true }).waitFor({ state: 'attached' });
  await type(/^Search settings/, 'diagnostics');
  await enter(/^Export diagnostics…$/);
  await dialog('Review diagnostics').waitFor();
  const { download, path } = await saved(() => enter(/^Save as ZIP$/));
  expect(download.suggestedFilename()).toMatch(/^rainbell-diagnostics-.*\.zip$/);
  expect(Object.keys(unzipSync(await readFile(path)))).toContain('log.txt');
});
