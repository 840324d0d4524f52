// Axe on what opens over Monitors or replaces what it usually shows: dialogs, menus, panels, parts of the details, and the screen
// without data, while it loads, and after a failure. One page walks over all; layout.test.ts has the screens themselves.
import type { Page } from 'playwright';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Answer } from '#test/core/fake-service.ts';
import { accessibilityOpenQuestions } from './explained-findings.ts';
import { openScreens } from './screen-harness.ts';

// A browser on a busy machine is slow.
vi.setConfig({ testTimeout: 240_000 });

const layer = '[role="dialog"]:not([popover]), [role="menu"], [role="dialog"]:popover-open';
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
  const within = async () => ((await page.locator(layer).count()) > 0 ? layer : 'main');
  return {
    found,
    /** Opens a layer or state, looks at it in both themes and at three widths, and closes it again. */
    async look(name: string, open: () => Promise<unknown>) {
      await open();
      await settle();
      note(`${name}, light, 1280`, await accessibilityOpenQuestions(page, [], await within()));
      // Colors do not depend on the width, nor sizes on the scheme.
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 640, height: 800 });
      await settle();
      const rules = ['color-contrast', 'target-size', 'scrollable-region-focusable'];
      note(`${name}, dark, 640`, await accessibilityOpenQuestions(page, rules, await within()));
      await page.setViewportSize({ width: 1920, height: 900 });
      await settle();
      note(`${name}, dark, 1920`, await accessibilityOpenQuestions(page, rules.slice(1), await within()));
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 900 });
      const discard = page.getByRole('button', { name: 'Discard', exact: true });
      await expect
        .poll(
          async () => {
            if ((await page.locator(layer).count()) > 0) await page.keyboard.press('Escape');
            if ((await discard.count()) > 0) await discard.click();
            return page.locator(layer).count();
          },
          { message: `${name} closes`, timeout: 20_000 },
        )
        .toBe(0);
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
  const parts = page.getByRole('radiogroup', { name: 'Part of the details' }).getByRole('radio');
  for (const index of [1, 2]) await look(`details, part ${index}`, () => parts.nth(index).evaluate(press));
  await page.getByRole('grid', { name: 'Monitors' }).focus();
  await look('editing in place', () => page.keyboard.press('F2'));
  await page.keyboard.press('Escape');
  await page.getByRole('grid', { name: 'Monitors' }).focus();
  await page.keyboard.press('Control+a');
  for (const action of ['Set callback…', 'Move…', 'Tags…', 'Note…', 'Duplicate…'])
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
