// Axe on what opens over the screens or replaces what they usually show: dialogs, menus, panels, parts of the details, and states
// without data, while they load, and after a failure. One page walks over all; layout.test.ts has the screens themselves.
import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import type { Answer } from '#test/core/fake-service.ts';
import { colorRules, inOtherTheme, openLayer } from '#test/setup/accessibility.ts';
import { accessibilityOpenQuestions } from './explained-findings.ts';
import { openScreens } from '../screen-harness.ts';

const monitors = ['1048', '1049', '1050'].map((id, index) => ({
  id: `precipitation_${id}`,
  monitor_type: 'precipitation',
  geo: { type: 'Point', coordinates: [7.6869 + index, 45.0703 - index] },
  callback_uri: `https://callbacks.operations.example.net/hooks/${id}`,
}));

/** A label covers its radio button. */
const press = (radio: HTMLElement | SVGElement) => (radio as HTMLElement).click();

function createWalk(page: Page) {
  const found: Record<string, readonly string[]> = {};
  const note = (name: string, problems: readonly string[]) => {
    if (problems.length > 0) found[name] = problems;
  };
  /** A loading message covers elements that axe would check. */
  const settle = async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await expect.poll(() => page.getByText('Loading the map…').count()).toBe(0);
  };
  const within = async () => ((await page.locator(openLayer).count()) > 0 ? openLayer : 'main');
  const close = async (name: string) => {
    const discard = page.getByRole('button', { name: 'Discard', exact: true });
    await expect
      .poll(
        async () => {
          if ((await page.locator(openLayer).count()) > 0) await page.keyboard.press('Escape');
          if ((await discard.count()) > 0) await discard.click();
          return page.locator(openLayer).count();
        },
        { message: `${name} closes` },
      )
      .toBe(0);
  };
  return {
    found,
    /**
     * Opens a layer or state, looks at it or the part `where`, and closes it again: all rules in the light, and of the others those
     * that a theme or width can change.
     */
    async look(name: string, open: () => Promise<unknown>, where?: string) {
      await open();
      await settle();
      const part = where ?? (await within());
      note(`${name}, light`, await accessibilityOpenQuestions(page, [], part));
      note(`${name}, dark`, await inOtherTheme(page, () => accessibilityOpenQuestions(page, colorRules, part)));
      await page.setViewportSize({ width: 640, height: 800 });
      await settle();
      const rules = ['target-size', 'scrollable-region-focusable'];
      note(`${name}, 640`, await accessibilityOpenQuestions(page, rules, where ?? (await within())));
      await page.setViewportSize({ width: 1280, height: 900 });
      await close(name);
    },
  };
}

async function open() {
  const opened = await openScreens({
    settings: { theme: 'system' },
    routes: { 'GET /v2/monitors/': () => ({ body: { objects: monitors, meta: {} } }) },
  });
  const { page } = opened;
  onTestFinished(() => page.setViewportSize({ width: 1280, height: 900 }));
  await page.getByRole('slider').waitFor();
  const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name, exact: true }).first();
  const goTo = async (screen: string) => {
    await page.evaluate((hash) => void (location.hash = hash), `#/${screen}`);
    await page
      .locator('h1')
      .filter({ hasText: new RegExp(`^\\s*${screen}`, 'i') })
      .waitFor({ state: 'attached' });
  };
  const menu = async (name: string | RegExp, item?: string | RegExp) => {
    await button(name).click();
    await page.getByRole('menu').waitFor();
    if (item === undefined) return;
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').waitFor();
  };
  const dialog = async (name: string | RegExp) => {
    await button(name).click();
    await page.getByRole('dialog').waitFor();
  };
  return { ...opened, ...createWalk(page), button, goTo, menu, dialog };
}

it('passes axe on every layer and state of Monitors', async () => {
  const { page, service, found, look, button, goTo, menu, dialog } = await open();
  await goTo('monitors');
  await look('menu of a row', () => menu(/^More actions for/));
  await look('columns', () => menu('Columns'));
  await look('export', () => menu('Export'));
  await look('views', () => dialog('Views'));
  await look('new monitor', () => dialog('New monitor'));
  await look('import', async () => {
    await dialog('Import');
    await page.getByRole('dialog').getByRole('textbox').first().fill('45.1,7.7\nbad');
    await page.getByText('bad', { exact: true }).last().waitFor();
  });
  await look('map', async () => {
    await button('Map').click();
    await page.locator('main [class*="_land_"]').first().waitFor({ state: 'attached' });
  });
  await button('Map').click();
  await look('details', () => button('precipitation_1048').click());
  const parts = page.getByRole('radiogroup', { name: 'Monitor details' }).getByRole('radio');
  for (const index of [1, 2]) await look(`details, part ${index}`, () => parts.nth(index).evaluate(press));
  await page.getByRole('grid', { name: 'Monitors' }).focus();
  await look('editing in place', () => page.keyboard.press('F2'));
  await page.keyboard.press('Escape');
  await page.getByRole('grid', { name: 'Monitors' }).focus();
  await page.keyboard.press('Control+a');
  for (const action of ['Set callback URL…', 'Move…', 'Tags…', 'Note…', 'Duplicate…'])
    await look(action, () => dialog(action));
  await look('delete', () => page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click());
  const filter = page.getByRole('textbox', { name: 'Filter the monitors' });
  await look('no matches', () => filter.fill('zzzz'));
  await filter.fill('');
  service.routes['GET /v2/monitors/'] = () => ({ status: 500, body: { error: 'server_error' } });
  await look('failed', async () => {
    await button('Refresh').click();
    await page.getByRole('alert').first().waitFor();
  });
  service.routes['GET /v2/monitors/'] = () => new Promise<Answer>(() => {});
  await look('loading', async () => {
    await page.reload();
    await page.getByText(/^Loading monitors/).waitFor();
  });
  service.routes['GET /v2/monitors/'] = () => ({ body: { objects: [], meta: {} } });
  await look('empty', async () => {
    await page.reload();
    await page.getByRole('button', { name: /^Create a monitor/ }).waitFor();
  });
  expect(found).toEqual({});
});

it('passes axe on every layer of Forecast and of the frame', async () => {
  const { page, found, look, goTo, dialog } = await open();
  const pressKey = (key: string) => page.keyboard.press(key);
  const command = async (title: string) => {
    await pressKey('Control+k');
    await page.getByRole('combobox', { name: 'Command or place' }).fill(title);
    await page.getByRole('option', { name: title }).first().waitFor();
    await pressKey('Enter');
  };
  const pane = 'section[aria-label="Request and response"]';
  await pressKey('i');
  for (const tab of ['Point', 'Headers', 'cURL'])
    await look(`pane ${tab}`, () => page.getByRole('tab', { name: tab }).click(), pane);
  await page.getByRole('tab', { name: 'JSON' }).click();
  await look('more of the JSON', () => dialog('More JSON actions'));
  await look('view of the forecast', () => dialog('View'));
  await look('more of the forecast', () => dialog('More'));
  await look('map', async () => {
    await pressKey('m');
    await page.getByRole('application').waitFor();
  });
  const showTable = async () => {
    await pressKey('t');
    await page.getByRole('table').first().waitFor();
  };
  await look('table', showTable, 'main table, main [role="table"]');
  await pressKey('t');
  await look('comparison', async () => {
    await pressKey('c');
    await page.locator('#rb-compare-title').waitFor();
  });
  await pressKey('c');
  await look('saved places', () => command('Show saved places'));
  await goTo('forecast');
  await look('connections', () => page.getByRole('button', { name: /^Connection: / }).click());
  await look('palette', () => pressKey('Control+k'));
  await look('found in the palette', async () => {
    await pressKey('Control+k');
    await page.getByRole('combobox', { name: 'Command or place' }).fill('torino');
    await page
      .getByRole('option', { name: /Piemonte|Italy/ })
      .first()
      .waitFor();
  });
  await look('keyboard shortcuts', () => pressKey('?'));
  await look('report of a problem', async () => {
    await command('Report a problem');
    await page.getByRole('heading', { name: 'Report a problem' }).waitFor();
  });
  await look('diagnostics', async () => {
    await goTo('settings');
    await page.getByRole('button', { name: 'Export diagnostics…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save as ZIP' }).waitFor();
  });
  await look('about', async () => {
    await command('About Rainbell');
    await page.getByRole('article', { name: 'About Rainbell' }).waitFor();
  });
  await page.setViewportSize({ width: 640, height: 800 });
  await look('more screens', () => page.getByRole('navigation').getByRole('button', { name: /^More/ }).click());
  expect(found).toEqual({});
});

it('passes axe on every layer of Callbacks', async () => {
  const { page, core, found, look, button, goTo, menu, dialog, receiverUrl } = await open();
  const base = await receiverUrl();
  for (const path of ['first', 'second']) await fetch(`${base}/hooks/${path}`, { method: 'POST', body: '{"a":1}' });
  await goTo('callbacks');
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Replay' }).waitFor();
  await look('more', () => menu('More'));
  for (const item of ['Forward…', 'Paths…', 'Receiver settings…', 'Check an endpoint…', 'Import…', 'Delete all…'])
    await look(item, () => menu('More', item));
  await look('export', () => menu('Export'));
  await look('columns', () => menu('Columns'));
  await look('filters', () => dialog('Filters'));
  await look('order', () => menu('Newest first'));
  await look('response rules', () => dialog(/^Response rules/));
  await look('send again', () => dialog('Replay'));
  await look('send again, edited', async () => {
    await dialog('Replay');
    await page.getByRole('dialog').getByText('Edit first').click();
  });
  await look('copy as', () => dialog('Copy as…'));
  await look('export as a page', () => menu('More actions', 'Export as a page…'));
  await page.getByRole('listbox').focus();
  for (const key of ['Home', ' ', 'ArrowDown', ' ']) await page.keyboard.press(key);
  const compare = page.getByRole('toolbar').getByRole('button', { name: 'Compare' });
  await compare.waitFor();
  await look('selection', async () => {});
  await look('comparison', () => compare.click());
  await look('delete of all', async () => {
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
  });
  // Refused, but in Traffic.
  const monitor = { geo: { lat: 45, lng: 7 }, callback: { kind: 'this-app' } } as const;
  await expect(core.client.monitors.create(monitor)).rejects.toThrow(/501|unprepared/);
  await goTo('traffic');
  await page
    .getByRole('option')
    .filter({ hasText: /POST\s*\/v2\/monitors/ })
    .first()
    .click();
  await look('send the request again', () => dialog('Send again'));
  await look('clear the traffic', () => button('Delete all…').click());
  expect(found).toEqual({});
});

it('passes axe on every layer of Access and Settings', async () => {
  const { page, core, found, look, button, goTo, dialog } = await open();
  await core.client.session.signIn({ way: 'password', username: 'user', password: 'password' });
  await goTo('access');
  const user = page.getByRole('region', { name: 'User token' });
  await user.getByText('Valid', { exact: true }).waitFor();
  await look('revoke', () => user.getByRole('button', { name: 'Revoke…' }).click());
  await look('token', () => user.getByRole('button', { name: /Reveal the access token/ }).click());
  for (const way of ['Implicit', 'Client credentials', 'Password'])
    await look(way, () => page.getByRole('radio', { name: way }).evaluate(press));
  await page.getByRole('radio', { name: 'Authorization code' }).evaluate(press);
  await look('sign-in in the browser', async () => {
    await button('Sign in with my browser').click();
    await page.getByRole('link', { name: 'Open sign-in page' }).waitFor();
  });
  await button('Cancel the sign-in').click();
  await page.getByRole('link', { name: 'Open sign-in page' }).waitFor({ state: 'detached' });
  await goTo('connections');
  await look('new connection', () => dialog('New connection'));
  await goTo('settings');
  await button('Back up now').click();
  // The app makes one of its own after some minutes.
  const backup = page.getByRole('button', { name: /^Restore the backup from/ }).first();
  await backup.waitFor();
  await look('restore', () => backup.click());
  await look('delete of a backup', () =>
    page
      .getByRole('button', { name: /^Delete the backup from/ })
      .first()
      .click(),
  );
  await page.getByRole('checkbox', { name: /^Traffic/ }).check();
  await look('delete of data', () => button('Delete selected…').click());
  expect(found).toEqual({});
});
