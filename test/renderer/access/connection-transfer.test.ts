// docs/tokens.md T29 on the screen: connections leave in a file that the browser saves, and come back after a look at
// what would happen.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fieldsFor } from '#test/core/access/access-harness.ts';
import { accessibilityProblems } from '#test/setup/accessibility.ts';
import { openScreens, type Screens } from '../screen-harness.ts';

async function openWithRome(): Promise<Screens> {
  const screens = await openScreens({ hash: '#/connections' });
  const fields = { ...fieldsFor(screens.service.introduction), name: 'Rome' };
  await screens.core.client.connections.create({ ...fields, clientSecret: 'hush hush' });
  return screens;
}

async function exportFile({ page }: Screens): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export 1' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^rainbell-connections-.*\.json$/);
  return readFile(await download.path(), 'utf8');
}

it('exports without secrets by default, and with them only under a passphrase (docs/tokens.md T29)', async () => {
  const screens = await openWithRome();
  const { page } = screens;
  await page.getByRole('button', { name: 'Export…' }).click();
  expect(await accessibilityProblems(page)).toEqual([]);
  const plain = await exportFile(screens);
  expect(plain).toContain('"Rome"');
  expect(plain).not.toContain('hush');
  await page.getByText('1 connection exported without secrets').waitFor();
  await page.getByRole('button', { name: 'Export…' }).click();
  await page.getByLabel('Include client secrets').check();
  await page.getByRole('textbox', { name: 'Passphrase' }).fill('short');
  await page.getByRole('button', { name: 'Export 1' }).click();
  await page.getByText('at least 8 characters').waitFor();
  await page.getByRole('textbox', { name: 'Passphrase' }).fill('three short words');
  const sealed = await exportFile(screens);
  expect(sealed).toContain('aes-256-gcm');
  expect(sealed).not.toContain('hush');
});

it('shows what an import would do, with words for what cannot be taken, before anything changes (docs/tokens.md T29)', async () => {
  const screens = await openWithRome();
  const { page, core } = screens;
  const [rome] = (await core.client.connections.list()).connections.slice(1);
  const { text } = await core.client.connections.export({ ids: [rome?.id ?? ''], passphrase: 'three short words' });
  const choose = (content: string) =>
    page
      .getByLabel('Connections file')
      .setInputFiles({ name: 'team.json', mimeType: 'application/json', buffer: Buffer.from(content) });

  await choose('{"values": []}');
  await page.getByText('This is not a Rainbell connections file').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  await choose(text);
  await page.getByLabel('Rome (2)').waitFor();
  await page.getByLabel('Passphrase for the file').fill('another one');
  await page.getByRole('button', { name: 'Decrypt secrets' }).click();
  await page.getByText('The passphrase is wrong').waitFor();
  await page.getByLabel('Passphrase for the file').fill('three short words');
  await page.getByRole('button', { name: 'Decrypt secrets' }).click();
  await page.getByText('With secret', { exact: true }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect((await core.client.connections.list()).connections).toHaveLength(2);
  await page.getByRole('button', { name: 'Import 1' }).click();
  await page.getByRole('heading', { name: 'Rome (2)' }).waitFor();
  const imported = (await core.client.connections.list()).connections.find(({ name }) => name === 'Rome (2)');
  expect(core.host.stored.get(`client secret ${imported?.id}`)).toBe('hush hush');
  expect(screens.complaints).toEqual([]);
});
