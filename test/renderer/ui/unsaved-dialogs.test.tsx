// What a user typed into a dialog is not lost by Escape, a click beside it or its cross: it asks first.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../axe.ts';
import { expectGone, expectShown, openApp } from '../open-app.ts';

const fromMenu = (item: string, add: string) => async () => {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
  await page.getByRole('button', { name: add }).click();
};

const dialogs = [
  {
    name: 'Response rules',
    hash: '#/callbacks',
    async open() {
      await page.getByRole('button', { name: 'Response rules: none' }).click();
      await page.getByRole('button', { name: 'Add a rule' }).click();
    },
    field: 'Responses',
  },
  { name: 'Forward callbacks', hash: '#/callbacks', open: fromMenu('Forward…', 'Add a URL'), field: 'URL' },
  { name: 'Receiver paths', hash: '#/callbacks', open: fromMenu('Paths…', 'Add a path'), field: 'Name' },
  {
    name: 'New connection',
    hash: '#/connections',
    open: () => page.getByRole('button', { name: 'New connection', exact: true }).click(),
    field: 'Name',
  },
  {
    name: 'New monitor',
    hash: '#/monitors',
    open: () => page.getByRole('button', { name: 'New monitor' }).first().click(),
    field: 'Latitude',
  },
];

const question = page.getByRole('dialog', { name: 'Discard changes?' });
const kept = { keptCallbacks: null, keptDays: null, keptMegabytes: null };
const shop = { id: 'path-1', name: 'Shop', path: '/a', ...kept, total: 0, bytes: 0, secrets: 1 };
const endpoints = () => ({ endpoints: [shop], senders: [] });

describe('a dialog with something typed', () => {
  it.each(dialogs)('asks before it closes, and keeps the input: $name', async ({ name, hash, open, field }) => {
    openApp({ hash });
    await open();
    const dialog = page.getByRole('dialog', { name });
    const typed = dialog.getByRole('textbox', { name: field, exact: true });
    await typed.fill('47.5');
    await userEvent.keyboard('{Escape}');
    await expectShown(question.getByText(`Your changes in “${name}” haven’t been saved.`));
    await userEvent.keyboard('{Escape}');
    await expectGone(question);
    await expect.element(typed).toHaveValue('47.5');
    await expect.element(typed).toHaveFocus();
  });

  it('asks after a click beside it and on its cross, too', async () => {
    openApp({ hash: '#/monitors' });
    await page.getByRole('button', { name: 'New monitor' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New monitor' });
    await dialog.getByRole('textbox', { name: 'Latitude' }).fill('47.5');
    await userEvent.click(document.elementFromPoint(5, 400) ?? document.body, { position: { x: 5, y: 400 } });
    await expectShown(question);
    await expectAccessible('the question over a dialog');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expectGone(page.getByRole('dialog'));
  });

  it('asks if a button of a card leads elsewhere, too', async () => {
    openApp({ hash: '#/callbacks' });
    await fromMenu('Paths…', 'Add a path')();
    const dialog = page.getByRole('dialog', { name: 'Receiver paths' });
    await dialog.getByRole('button', { name: 'Show its callbacks' }).click();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expectShown(dialog);
  });

  it('asks if only the secret of a path was typed, and deletes none if it was taken back', async () => {
    const saved: unknown[] = [];
    openApp({
      hash: '#/callbacks',
      stubs: {
        callbacks: {
          endpoints,
          replaceEndpoints({ newSecrets }) {
            saved.push(newSecrets);
            return {};
          },
        },
      },
    });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Paths…' }).click();
    const secret = page.getByLabelText('Add a secret (signing secret)');
    await secret.fill('whsec_1');
    await userEvent.keyboard('{Escape}');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect.element(secret).toHaveValue('whsec_1');
    await secret.fill('');
    await expectShown(page.getByText(/^1 secret is stored/));
    await page.getByRole('button', { name: 'Save' }).click();
    await expectGone(page.getByRole('dialog'));
    expect(saved).toEqual([{}]);
  });

  it('closes on Cancel, and if the input was undone', async () => {
    openApp({ hash: '#/connections' });
    const dialog = page.getByRole('dialog', { name: 'New connection' });
    const open = () => page.getByRole('button', { name: 'New connection', exact: true }).click();
    await open();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Team');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expectGone(dialog);
    await open();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Team');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('');
    await userEvent.keyboard('{Escape}');
    await expectGone(dialog);
  });
});

it('gives a new path no ID of one that was removed, whose secrets are stored under it', async () => {
  openApp({
    hash: '#/callbacks',
    stubs: { callbacks: { endpoints } },
  });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Paths…' }).click();
  await expectShown(page.getByText(/^1 secret is stored/));
  await page.getByRole('button', { name: 'Remove Shop' }).click();
  await page.getByRole('button', { name: 'Add a path' }).click();
  await expectShown(page.getByText(/^0 secrets are stored/));
});

it('leads from a path to the response rules, after the question, as one dialog', async () => {
  openApp({ hash: '#/callbacks' });
  await fromMenu('Paths…', 'Add a path')();
  await page.getByRole('dialog', { name: 'Receiver paths' }).getByRole('textbox', { name: 'Name' }).fill('Shop');
  await page.getByRole('button', { name: 'Response rules…' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expectShown(page.getByRole('dialog', { name: 'Response rules' }));
  await expectGone(page.getByRole('dialog', { name: 'Receiver paths' }));
});
