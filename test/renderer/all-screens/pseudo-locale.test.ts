// The screens in a pseudo-locale, and what opens over them: dialogs, menus, panels, and parts of the details. What users read has
// accents, so it came from the catalog, and no layout breaks with texts that are 40% longer.
import type { Locator, Page } from 'playwright';
import { expect, it } from 'vitest';
import type { SandboxState } from '#contract/service-api/sandbox.ts';
import { screens } from '#renderer/store/screens.ts';
import { toPseudoLocale } from '#test/setup/pseudo-locale.ts';
import { preparePseudoScreens, translationProblems } from './pseudo-screens.ts';

const openPseudo = preparePseudoScreens();
it.each(screens)('shows only texts of the catalog on %s, and has room for longer ones', async (screen) => {
  const { page, complaints } = await openPseudo(screen);
  if (screen === 'callbacks' || screen === 'traffic')
    await page.getByRole('listbox').getByRole('option').first().click();
  if (screen === 'monitors')
    await page.getByRole('button', { name: 'precipitation_1048', exact: true }).first().click();
  expect(await translationProblems(page, screen)).toEqual([]);
  expect(complaints).toEqual([]);
});

const layer = '[role="dialog"]:not([popover]), [role="menu"], [role="dialog"]:popover-open';

/** A label covers its radio button. */
const press = (radio: HTMLElement | SVGElement) => (radio as HTMLElement).click();

async function openWithLayers(
  screen: Parameters<typeof openPseudo>[0],
  options: Parameters<typeof openPseudo>[1] = {},
) {
  const opened = await openPseudo(screen, options);
  const found: Record<string, readonly string[]> = {};
  const { page } = opened;
  const close = async (name: string) => {
    const discard = page.getByRole('button', { name: toPseudoLocale('Discard'), exact: true });
    await expect
      .poll(
        async () => {
          if ((await page.locator(layer).count()) > 0) await page.keyboard.press('Escape');
          if ((await discard.count()) > 0) await discard.click();
          return page.locator(layer).count();
        },
        { message: `${name} closes` },
      )
      .toBe(0);
  };
  /** By its message in the catalog, with the values of its placeholders. */
  const button = (message: string, within: Locator = page.getByRole('main'), ...values: string[]) =>
    within
      .getByRole('button', {
        name: toPseudoLocale(message).replaceAll(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? ''),
        exact: true,
      })
      .first();
  const dialog = async (message: string) => {
    await button(message).click();
    await page.locator(layer).first().waitFor();
  };
  return {
    ...opened,
    /** By layer. */
    found,
    button,
    dialog,
    /** Opens a layer or state, looks at it, and closes it again. */
    async look(name: string, opens: () => Promise<unknown>) {
      await opens();
      const problems = await translationProblems(page, name);
      if (problems.length > 0) found[name] = problems;
      await close(name);
    },
    async menu(message: string, item?: string) {
      await button(message).click();
      await page.getByRole('menu').waitFor();
      if (item === undefined) return;
      await page.getByRole('menuitem', { name: toPseudoLocale(item) }).click();
      await page.getByRole('dialog').waitFor();
    },
    field: (label: string) => page.getByLabel(toPseudoLocale(label), { exact: true }),
    choose: (label: string) => page.getByRole('radio', { name: toPseudoLocale(label) }).evaluate(press),
  };
}

it('shows only texts of the catalog on the layers of Monitors', async () => {
  const { found, complaints, page, button, dialog, look, menu, field } = await openWithLayers('monitors');
  await look('monitors menu of a row', async () => {
    await button('More actions for {0}', page.getByRole('main'), 'precipitation_1048').click();
    await page.getByRole('menu').waitFor();
  });
  await look('monitors columns', () => menu('Columns'));
  await look('monitors export', () => menu('Export'));
  await look('monitors views', () => dialog('Views'));
  await look('monitors search help', () => dialog('Filter terms'));
  await look('new monitor', async () => {
    await dialog('New monitor');
    await page.getByRole('dialog').getByRole('radio').nth(1).evaluate(press);
  });
  await look('monitors import', async () => {
    await dialog('Import');
    await page.getByRole('dialog').getByRole('textbox').first().fill('45.1,7.7\nbad');
    await page.getByText('bad', { exact: true }).last().waitFor();
  });
  await look('monitors map', async () => {
    await button('Map').click();
    await page.locator('main [class*="_land_"]').first().waitFor({ state: 'attached' });
  });
  await button('Map').click();
  await page.getByRole('button', { name: 'precipitation_1048', exact: true }).first().click();
  const parts = page.getByRole('radiogroup', { name: toPseudoLocale('Monitor details') }).getByRole('radio');
  for (const index of [0, 1, 2]) await look(`monitor details ${index}`, () => parts.nth(index).evaluate(press));
  const grid = page.getByRole('grid', { name: toPseudoLocale('Monitors') });
  await grid.focus();
  await look('monitors editing in place', () => page.keyboard.press('F2'));
  await page.keyboard.press('Escape');
  await grid.focus();
  await page.keyboard.press('Control+a');
  await look('monitors selected', () => page.getByRole('toolbar').waitFor());
  for (const action of ['Make it rain…', 'Set callback URL…', 'Move…', 'Tags…', 'Note…', 'Duplicate…'])
    await look(`monitors ${action}`, () => dialog(action));
  await look('monitors delete', () => button('Delete', page.getByRole('toolbar')).click());
  await look('monitors no matches', () => field('Filter the monitors').fill('zzzz'));
  expect(found).toEqual({});
  expect(complaints).toEqual([]);
});

it('shows only texts of the catalog on the layers of Callbacks', async () => {
  const { found, complaints, page, core, button, dialog, look, menu, choose } = await openWithLayers('callbacks');
  await page.getByRole('listbox').getByRole('option').first().click();
  await button('Replay').waitFor();
  for (const part of ['Headers', 'Raw', 'Sent'])
    await look(`callback ${part}`, () =>
      page
        .getByRole('radio', { name: toPseudoLocale(part).split(' ')[0] ?? '' })
        .first()
        .evaluate(press),
    );
  await look('callback response', () => choose('Response'));
  await look('callbacks search help', () => dialog('Search terms'));
  await look('callbacks more', () => menu('More'));
  for (const item of ['Forward…', 'Paths…', 'Receiver settings…', 'Check an endpoint…', 'Import…', 'Delete all…'])
    await look(`callbacks ${item}`, () => menu('More', item));
  await look('callbacks export', () => menu('Export'));
  await look('callbacks columns', () => menu('Columns'));
  await look('callbacks filters', () => dialog('Filters'));
  await look('callbacks order', () => menu('Newest first'));
  await look('callback send', () => dialog('Replay'));
  await look('callback send, edited', async () => {
    await dialog('Replay');
    await page.getByRole('dialog').getByText(toPseudoLocale('Edit first')).click();
  });
  await look('callback copy', () => dialog('Copy as…'));
  await look('callback page', () => dialog('Export as a page'));
  await page.getByRole('listbox').focus();
  for (const key of ['Home', ' ', 'ArrowDown', ' ']) await page.keyboard.press(key);
  const compare = button('Compare', page.getByRole('toolbar'));
  await compare.waitFor();
  await look('callbacks selected', async () => {});
  await look('callbacks comparison', () => compare.click());
  await look('callbacks delete', async () => {
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
  });
  await core.client.settings.update({ readsFeed: true });
  await look('callbacks feed', async () => {
    await menu('More', 'Receiver settings…');
  });
  expect(found).toEqual({});
  expect(complaints).toEqual([]);
});

it('shows only texts of the catalog on the layers of Access and Connections', async () => {
  const { found, complaints, page, core, goTo, button, dialog, look, field, choose } = await openWithLayers('access');
  await core.client.session.signIn({ way: 'password', username: 'user', password: 'password' });
  const user = page.getByRole('region', { name: toPseudoLocale('User token') });
  await user.getByText(toPseudoLocale('Valid'), { exact: true }).waitFor();
  await look('access', async () => {});
  await look('token errors', () => button('Simulate error', user).click());
  await look('token scope', () => button('Scope…', user).click());
  await look('token revocation', () => button('Revoke…', user).click());
  await look('token', () => button('Reveal the access token (user)', user).click());
  for (const way of ['Implicit', 'Client credentials', 'Password', 'Device code', 'Authorization code'])
    await look(`access ${way}`, () => choose(way));
  await look('sign-in in the browser', async () => {
    await button('Sign in with my browser').click();
    await page.getByRole('link', { name: toPseudoLocale('Open sign-in page') }).waitFor();
  });
  await button('Cancel the sign-in').click();
  await page.locator('details summary').first().click();
  await look('sign-in log', async () => {});
  await goTo('connections');
  await look('new connection', async () => {
    await dialog('New connection');
    await page.getByRole('dialog').locator('summary').click();
    await button('Create', page.getByRole('dialog')).click();
  });
  const { connections } = await core.client.connections.list();
  const [sandbox] = connections;
  if (!sandbox) throw new Error('The sandbox has a connection.');
  const { id: _id, kind: _kind, hasSecret: _has, ...fields } = sandbox;
  await core.client.connections.create({ ...fields, name: 'Staging', clientSecret: 'secret' });
  await button('Delete {0}', page.getByRole('main'), 'Staging').waitFor();
  await look('delete of a connection', () => button('Delete {0}', page.getByRole('main'), 'Staging').click());
  await look('edited connection', () => button('Edit {0}', page.getByRole('main'), 'Staging').click());
  await look('connection test', async () => {
    await button('Test {0}', page.getByRole('main'), 'Staging').click();
    await page.getByRole('list', { name: toPseudoLocale('Test results') }).waitFor();
  });
  await look('export of connections', async () => {
    await dialog('Export…');
    await field('Include client secrets, encrypted with a passphrase').check();
  });
  const exported = await core.client.connections.export({
    ids: (await core.client.connections.list()).connections.filter(({ kind }) => kind === 'own').map(({ id }) => id),
    passphrase: 'three short words',
  });
  await look('import of connections', async () => {
    const file = { name: exported.fileName, mimeType: 'application/json', buffer: Buffer.from(exported.text) };
    await field('Connections file').setInputFiles(file);
    await page.getByRole('dialog').getByRole('list').waitFor();
  });
  expect(found).toEqual({});
  expect(complaints).toEqual([]);
});

it('shows only texts of the catalog on the layers of Settings', async () => {
  const { found, complaints, page, core, button, look, field } = await openWithLayers('settings');
  await core.client.settings.update({ notifications: { isOn: true, quiet: { from: '22:00', until: '07:00' } } });
  await look('settings', async () => {});
  await look('settings not found', () => field('Search settings').fill('_z_'));
  await field('Search settings').fill('');
  await button('Back up now').click();
  const backup = page.getByRole('button', { name: 'rainbell-' });
  await backup.first().waitFor();
  await look('restore', () => backup.first().click());
  await look('delete of a backup', () => backup.last().click());
  await page.getByRole('checkbox', { name: toPseudoLocale('Traffic').split(' ')[0] ?? '' }).check();
  await look('delete of data', () => button('Delete selected…').click());
  await look('import of settings', async () => {
    const settings = JSON.parse((await core.client.settings.export()).text) as { settings: object };
    const text = JSON.stringify({ ...settings, settings: { ...settings.settings, windUnit: 'kn' } });
    const file = { name: 'settings.json', mimeType: 'application/json', buffer: Buffer.from(text) };
    await field('Settings file').setInputFiles(file);
    await page.getByRole('dialog').waitFor();
  });
  await look('diagnostics', async () => {
    await button('Export diagnostics…').click();
    await page.getByRole('dialog').getByRole('list').waitFor();
  });
  expect(found).toEqual({});
  expect(complaints).toEqual([]);
});

it('shows only texts of the catalog on the layers of Traffic', async () => {
  const { found, complaints, page, core, button, dialog, look, choose, field } = await openWithLayers('traffic');
  // Refused, but in Traffic.
  const monitor = { geo: { lat: 45, lng: 7 }, callback: { kind: 'this-app' } } as const;
  await expect(core.client.monitors.create(monitor)).rejects.toThrow(/501|unprepared/);
  await page
    .getByRole('option')
    .filter({ hasText: /POST\s*\/v2\/monitors/ })
    .first()
    .click();
  for (const part of ['Response', 'Request', 'Headers']) await look(`traffic ${part}`, () => choose(part));
  await look('traffic send again', () => dialog('Send again'));
  await look('traffic clear', () => button('Delete all…').click());
  await page
    .getByRole('option')
    .filter({ hasText: /\/o\/token|token/ })
    .first()
    .click();
  await look('traffic token request', async () => {});
  await look('traffic filtered', () => field('Filter by URL').fill('monitors'));
  await look('traffic no matches', () => field('Filter by URL').fill('zzzz'));
  expect(found).toEqual({});
  expect(complaints).toEqual([]);
});

/** With a scenario, a fault, a moved clock, and an error of a provider. */
function sandboxState(): SandboxState {
  const now = Date.now();
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
  return {
    clock: { now: at(60), aheadSeconds: 3600 },
    provider: {
      choice: 'auto',
      lastAnswered: 'simulation',
      lastErrors: [{ provider: 'met-norway', at: at(-5), message: '-' }],
    },
    cache: { hits: 3, misses: 1, cells: 1 },
    scenarios: [
      {
        id: 'scenario_1',
        center: { lat: 45, lng: 7 },
        status: 'rainy',
        radiusKm: 30,
        startsAt: at(50),
        endsAt: at(90),
      },
      {
        id: 'scenario_2',
        center: { lat: 45, lng: 7 },
        status: 'snowy',
        radiusKm: 30,
        startsAt: at(70),
        endsAt: at(90),
      },
    ],
    weatherFault: { kind: 'slow', requestsLeft: 3, requestsHit: 1, delaySeconds: 5, endsAt: at(80) },
  };
}

it('shows only texts of the catalog on the parts of Sandbox', async () => {
  const { found, complaints, look, choose } = await openWithLayers('sandbox', {
    routes: { 'GET /sandbox/state': () => ({ body: sandboxState() }) },
  });
  await look('sandbox', () => choose('Malformed'));
  await look('sandbox provider', () => choose('Simulation'));
  expect(found).toEqual({});
  expect(complaints).toEqual([]);
});

/** Looks at what is on the page. */
async function lookAt(page: Page, name: string): Promise<void> {
  expect.soft(await translationProblems(page, name), name).toEqual([]);
}

it('shows only texts of the catalog on the layers of Forecast and of the frame', async () => {
  const { page, complaints } = await openPseudo('forecast');
  const main = page.getByRole('main');
  const press = (key: string) => page.keyboard.press(key);
  const click = (role: 'button' | 'tab', message: string, value = '') =>
    page
      .getByRole(role, { name: toPseudoLocale(message).replace('{0}', value) })
      .first()
      .click();
  const command = async (title: string) => {
    await press('Control+k');
    await page.getByRole('combobox', { name: toPseudoLocale('Command or place') }).fill(toPseudoLocale(title));
    await page
      .getByRole('option', { name: toPseudoLocale(title) })
      .first()
      .waitFor();
    await press('Enter');
  };
  const lookAndClose = async (name: string, opens: () => Promise<unknown>) => {
    await opens();
    await page.locator(layer).first().waitFor();
    await lookAt(page, name);
    await press('Escape');
    await expect.poll(() => page.locator(layer).count(), { message: name }).toBe(0);
  };
  for (const tab of ['Point', 'Headers']) {
    await click('tab', tab);
    await lookAt(page, `pane ${tab}`);
  }
  await page.getByRole('tab', { name: 'cURL' }).click();
  await lookAt(page, 'pane cURL');
  await page.getByRole('tab', { name: 'JSON' }).click();
  await lookAndClose('more of the JSON', () => click('button', 'More JSON actions'));
  await lookAndClose('layers of the chart', () => click('button', 'Layers'));
  await lookAndClose('export', () => click('button', 'Export'));
  await lookAndClose('connections', () =>
    page
      .getByRole('button', { name: /^Çöññéçţîöñ:/ })
      .first()
      .click(),
  );
  await lookAndClose('map', () => press('m'));
  await lookAndClose('palette', () => press('Control+k'));
  await lookAndClose('found in the palette', async () => {
    await press('Control+k');
    await page.getByRole('combobox', { name: toPseudoLocale('Command or place') }).fill('precipitation_1048');
    await page.getByRole('option', { name: 'precipitation_1048' }).first().waitFor();
  });
  await lookAndClose('keyboard shortcuts', () => press('?'));
  await lookAndClose('response rules', () => command('Edit response rules'));
  await press('t');
  await main.getByRole('table').first().waitFor();
  await lookAt(page, 'table');
  await press('t');
  await press('c');
  await page.locator('#rb-compare-title').waitFor();
  await lookAt(page, 'comparison');
  await press('c');
  await click('button', 'Save place');
  await command('Show saved places');
  await page.locator('#rb-board-title').waitFor();
  await lookAt(page, 'saved places');
  await page.evaluate(() => void (location.hash = '#/forecast?lat=95'));
  const messages = page.getByRole('region', { name: toPseudoLocale('Messages') });
  await messages.getByRole('button').first().waitFor();
  await lookAt(page, 'messages');
  expect(complaints).toEqual([]);
});

it('shows only texts of the catalog on the first steps', async () => {
  const { page, complaints } = await openPseudo('forecast', { objects: [] });
  await page.locator('#rb-first-minute').waitFor();
  await lookAt(page, 'first steps');
  expect(complaints).toEqual([]);
});
