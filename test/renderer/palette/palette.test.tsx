// The command palette, at the speed of someone who knows what they want, and the help.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { allCommands } from '#shared/commands/all-commands.ts';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, openApp } from '../open-app.ts';

const metric = { temperatureUnit: '°C', precipitationUnit: 'mm', windUnit: 'm/s', pressureUnit: 'hPa' } as const;
const slider = page.getByRole('slider', { name: 'Forecast points' });
const table = page.getByRole('region', { name: 'Forecast points as a table' });
const openPalette = '{Control>}k{/Control}';
const typedNow = () => (document.activeElement instanceof HTMLInputElement ? document.activeElement.value : null);

describe('shortcuts', () => {
  it('work on their screen, and not while a field or a dialog has the focus', async () => {
    openApp();
    await expectShown(slider);
    const place = page.getByRole('combobox', { name: 'Forecast location' });
    await userEvent.keyboard('/');
    await expect.element(place).toHaveFocus();
    await userEvent.keyboard('T?zM');
    await expect.poll(typedNow).toMatch(/T\?zM$/);
    await expectGone(page.getByRole('dialog'));
    // The field is left before the frame in which Escape selects its text: the focus must not come back.
    const field = place.element();
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    field.blur();
    for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(document.activeElement).not.toBe(field);
    await userEvent.keyboard('t');
    await expectShown(table);

    await userEvent.keyboard('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expectShown(sheet);
    await userEvent.keyboard('t');
    const groups = sheet.getByRole('heading', { level: 3 });
    const texts = (elements: Iterable<Element>) => [...elements].map(({ textContent }) => textContent);
    // This screen's own first, then what works everywhere.
    expect(texts(groups.elements()).slice(0, 3)).toEqual(['Forecast', 'Forecast chart and table', 'Everywhere']);
    const titles = Object.values(allCommands).filter((command) => 'keys' in command);
    expect(texts(document.querySelectorAll('[role="dialog"] dt'))).toEqual(
      expect.arrayContaining(titles.map(({ title }) => title)),
    );
    await userEvent.keyboard('{Escape}');
    await expectGone(sheet);
    await expectShown(table);
    await userEvent.keyboard('t');
    await expectShown(slider);
  });

  it('switch zone, units, and tabs, and lead to each screen’s search', async () => {
    const { store } = openApp({ settings: { zone: 'place', ...metric } });
    await expectShown(slider);
    await userEvent.keyboard('z');
    await expectShown(page.getByText(/^Your times: /));
    const screen = page.getByRole('main');
    await expect.element(screen).toMatchTextContent(/\d °C/);
    await userEvent.keyboard('u');
    await userEvent.keyboard('U');
    await expect.element(screen).toMatchTextContent(/\d °F/);
    await userEvent.keyboard('4');
    await expect.element(page.getByRole('radio', { name: 'cURL' })).toBeChecked();
    store.getState().frame.goTo('traffic');
    const filter = page.getByRole('textbox', { name: 'Filter by URL' });
    await expectShown(filter);
    await userEvent.keyboard('/');
    await expect.element(filter).toHaveFocus();
    // Nothing of the Forecast screen is left.
    filter.element().blur();
    await userEvent.keyboard('m');
    await userEvent.keyboard('?');
    await expectShown(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(page.getByRole('dialog').length).toBe(1);
  });
});

describe('the palette', () => {
  it('finds settings, sections of the help, and what is about the app', async () => {
    openApp();
    await expectShown(slider);
    const run = async (text: string, title: RegExp) => {
      await userEvent.keyboard(`${openPalette}${text}`);
      await expect.element(page.getByRole('dialog').getByRole('option', { selected: true })).toMatchTextContent(title);
      await userEvent.keyboard('{Enter}');
      await expectGone(page.getByRole('dialog'));
    };
    await run('density', /^Density.*Settings/);
    await expect.poll(() => location.hash).toMatch(/#\/settings\/appearance/);
    await run('choose how receiver responds', /^Choose how the receiver responds/);
    await expectShown(page.getByRole('heading', { name: 'Choose how the receiver responds' }));
    await run('about rainbell', /^About Rainbell/);
    await expectShown(page.getByRole('heading', { name: 'About Rainbell' }));
    await expectAccessible('about the app');
    await page.getByRole('button', { name: /^fastify \d/ }).click();
    await expectShown(page.getByText(/Permission is hereby granted/).first());
  });
});

describe('the help', () => {
  it('opens by F1, finds a section by words, and keeps it in the address', async () => {
    openApp();
    await expectShown(slider);
    await userEvent.keyboard('{F1}');
    await expectShown(page.getByRole('heading', { name: 'First minute' }));
    await expectAccessible('the help');
    await userEvent.keyboard('/');
    const hit = page.getByRole('button', { name: /Use HTTPS/ });
    await userEvent.keyboard('CA certificate');
    await expectShown(hit);
    await userEvent.keyboard('{Control>}a{/Control}certifcate authority');
    await hit.click();
    const heading = page.getByRole('heading', { name: 'Use HTTPS' });
    await expect.element(heading).toHaveFocus();
    expect(location.hash).toBe('#/help/receiver?at=use-https');
    // Back leads to the search as it was left.
    history.back();
    await expectShown(hit);
    openApp({ hash: '#/help/receiver?at=use-https' });
    await expectShown(heading);
    openApp({ hash: '#/help/no-such-page' });
    await expectShown(page.getByRole('heading', { name: 'Page not found' }));
  });
});
