// Axe on what opens over the screens or replaces what they usually show: dialogs, menus, panels, parts of the details, and states
// without data and after a failure. One of each kind: menus are alike, and so are questions. layout.test.tsx has the screens themselves,
// and tests of single features what they open.
import { expect, it } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { colorRules, openLayer, openQuestions, turnTheme } from '../axe.ts';
import { goTo, openFilledApp, settle } from '../filled-app.ts';
import { listOf } from '../monitors/monitor-samples.ts';
import { expectShown } from '../open-app.ts';
import { AppError } from '../stub-client.ts';

const { keyboard } = userEvent;
const dialogs = page.getByRole('dialog');
const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name, exact: true }).first();
/** A label covers its radio button. */
const press = (radio: Locator) => (radio.element() as HTMLElement).click();

/** What is pressed opens a dialog. */
async function opens(pressed: Promise<void>): Promise<void> {
  await pressed;
  await expectShown(dialogs);
}

const dialog = (name: string | RegExp) => opens(button(name).click());

async function menu(name: string | RegExp, item?: string | RegExp): Promise<void> {
  await button(name).click();
  await expectShown(page.getByRole('menu'));
  if (item === undefined) return;
  await opens(page.getByRole('menuitem', { name: item }).click());
}

function createWalk() {
  const found: Record<string, readonly string[]> = {};
  return {
    found,
    /** Opens a layer or state, looks at it or the part `where`, and closes it again. The themes take turns. */
    async look(name: string, open: () => unknown, where?: string) {
      await open();
      await settle();
      const problems = await openQuestions([], where);
      await turnTheme();
      problems.push(...(await openQuestions(colorRules, where)));
      if (problems.length > 0) found[name] = problems;
      const discard = page.getByRole('button', { name: 'Discard', exact: true });
      const closing = async () => {
        if (document.querySelector(openLayer)) await keyboard('{Escape}');
        if (discard.length > 0) await discard.click();
        return document.querySelector(openLayer);
      };
      await expect.poll(closing, { message: `${name} closes` }).toBeNull();
    },
  };
}

it('passes axe on every layer and state of Monitors', async () => {
  const { found, look } = createWalk();
  const { stub } = openFilledApp('#/monitors');
  await look('views', () => dialog('Views'));
  const grid = page.getByRole('grid', { name: 'Monitors' });
  const focusGrid = () => grid.element().focus();
  await look('details', async () => {
    await button('precipitation_1048').click();
    await expectShown(page.getByRole('region', { name: 'Monitor precipitation_1048' }));
  });
  const parts = page.getByRole('radiogroup', { name: 'Monitor details' }).getByRole('radio');
  await look('details, edit', () => press(parts.nth(1)));
  focusGrid();
  await keyboard('{Control>}a{/Control}');
  await look('set the callback URL', () => dialog('Set callback URL…'));
  await look('tags', async () => {
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click();
    await opens(page.getByRole('menuitem', { name: 'Tags…' }).click());
  });
  stub({ monitors: { list: () => Promise.reject(new AppError('SERVER', 'The service failed.')) } });
  await look('failed', async () => {
    await button('Refresh').click();
    await expectShown(page.getByRole('alert').first());
  });
  await look('empty', async () => {
    openFilledApp('#/monitors', { monitors: { list: () => listOf([]) } });
    await expectShown(page.getByRole('button', { name: 'Create monitor', exact: true }));
  });
  expect(found).toEqual({});
});

it('passes axe on every layer of Forecast and of the frame', async () => {
  const { found, look } = createWalk();
  openFilledApp();
  await expectShown(page.getByRole('slider'));
  const command = async (title: string) => {
    await keyboard('{Control>}k{/Control}');
    await page.getByRole('combobox', { name: 'Command or place' }).fill(title);
    await expectShown(page.getByRole('option', { name: title }).first());
    await keyboard('{Enter}');
  };
  const pane = 'section[aria-label="Request and response"]';
  await keyboard('i');
  for (const tab of ['Point', 'cURL'])
    await look(`pane ${tab}`, () => press(page.getByRole('radio', { name: tab })), pane);
  press(page.getByRole('radio', { name: 'JSON' }));
  await look('more of the JSON', () => dialog('More JSON actions'));
  await look('view of the forecast', () => dialog('View'));
  const showTable = async () => {
    await keyboard('t');
    await expectShown(page.getByRole('table').first());
  };
  await look('table', showTable, 'main table, main [role="table"]');
  await keyboard('t');
  await look('saved places', () => command('Show saved places'));
  await goTo('forecast');
  await look('connections', () => opens(page.getByRole('button', { name: /^Connection: / }).click()));
  await look('keyboard shortcuts', () => opens(keyboard('?')));
  await look('report of a problem', async () => {
    await command('Report a problem');
    await expectShown(page.getByRole('heading', { name: 'Report a problem' }));
  });
  await look('diagnostics', async () => {
    await goTo('settings');
    await page.getByRole('button', { name: 'Export diagnostics…' }).click();
    await expectShown(dialogs.getByRole('button', { name: 'Save as ZIP' }));
  });
  await page.viewport(640, 800);
  await look('more screens', () => opens(page.getByRole('navigation').getByRole('button', { name: /^More/ }).click()));
  expect(found).toEqual({});
});

it('passes axe on every layer of Callbacks and Traffic', async () => {
  const { found, look } = createWalk();
  openFilledApp('#/callbacks');
  await page.getByRole('option').first().click();
  await expectShown(button('Replay'));
  for (const item of ['Forward…', 'Paths…', 'Receiver settings…', 'Import…'])
    await look(item, () => menu('More', item));
  await look('filters', () => dialog('Filters'));
  await look('response rules', async () => {
    await dialog(/^Response rules/);
    await dialogs.getByRole('button', { name: 'Add a rule' }).click();
  });
  await look('send again, edited', async () => {
    await dialog('Replay');
    await dialogs.getByText('Edit first').click();
  });
  await look('copy as', () => dialog('Copy as…'));
  await look('export as a page', () => menu('More actions', 'Export as a page…'));
  const list = page.getByRole('listbox');
  list.element().focus();
  await keyboard('{Home} {ArrowDown} ');
  const compare = page.getByRole('toolbar').getByRole('button', { name: 'Compare' });
  await look('selection', () => expectShown(compare));
  await look('comparison', () => opens(compare.click()));
  await goTo('traffic');
  await page.getByRole('option').first().click();
  await look('send the request again', () => dialog('Send again'));
  expect(found).toEqual({});
});

it('passes axe on every layer of Access and Settings', async () => {
  const { found, look } = createWalk();
  openFilledApp('#/access');
  const user = page.getByRole('region', { name: 'User token' });
  await expectShown(user.getByText('Valid', { exact: true }));
  await look('revoke', () => opens(user.getByRole('button', { name: 'Revoke…' }).click()));
  await look('token', () => user.getByRole('button', { name: /Reveal the access token/ }).click());
  await look('password', () => press(page.getByRole('radio', { name: 'Password' })));
  await goTo('settings');
  await look('restore', () => dialog(/^Restore the backup from/));
  expect(found).toEqual({});
});
