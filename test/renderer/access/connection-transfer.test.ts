// docs/tokens.md T29 on the screen: connections leave in a file that the browser saves, and come back from one.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fieldsFor } from '#test/core/session/access-harness.ts';
import { openScreens } from '../screen-harness.ts';

it('exports connections without secrets, and imports a file with a result for each entry (docs/tokens.md T29)', async () => {
  const { page, core, service, complaints } = await openScreens({ hash: '#/connections' });
  const fields = { ...fieldsFor(service.introduction), name: 'Rome' };
  await core.client.connections.create({ ...fields, clientSecret: 'hush hush' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^rainbell-connections-.*\.json$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toContain('"Rome"');
  expect(text).not.toContain('hush');
  const choose = (content: string) =>
    page
      .getByLabel('Connections file')
      .setInputFiles({ name: 'team.json', mimeType: 'application/json', buffer: Buffer.from(content) });

  await choose('{"values": []}');
  await page.getByText('This is not a Rainbell connections file').waitFor();

  const file = JSON.parse(text) as { connections: object[] };
  await choose(JSON.stringify({ ...file, connections: [...file.connections, { name: 'Oslo' }] }));
  const result = page.getByRole('dialog', { name: '1 connection imported' });
  await result.getByText('Rome (2)', { exact: true }).waitFor();
  await result.getByText(/base URL \(baseUrl\) is missing/).waitFor();
  await result.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('heading', { name: 'Rome (2)' }).waitFor();
  expect(complaints).toEqual([]);
});
