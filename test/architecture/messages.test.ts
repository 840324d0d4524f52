import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalogFile, createCatalog, messagesOf } from '#scripts/messages.mjs';
import { plural } from '#shared/text/plural.ts';

it('has every text of the app in the catalog (`npm run messages` writes it)', async () => {
  expect(readFileSync(catalogFile, 'utf8')).toBe(await createCatalog());
});

it('finds texts in components, modules, errors, and plurals, and no code', async () => {
  const source = `
    const labels = { newest: 'Newest first', none: 'no proxy', path: '/v2/weather/', sql: 'SELECT id FROM callbacks' };
    export function remove(count: number, place: string) {
      if (count === 0) throw new Error(\`Nothing to delete in \${place}\`);
      return plural(count, ['Delete # monitor', 'Delete # monitors']);
    }`;
  const component = `
    export const Note = ({ count, close }) => (
      <p className="rb-card wide" title="All events" onKeyDown={(event) => event.key === 'Escape' && close()}>
        Waiting for <b>more</b> than {count} responses
      </p>
    );`;
  const textsOf = async (file: string, content: string) =>
    (await messagesOf(file, content)).messages.map(({ msgStr }) => msgStr.join(' | '));
  expect(await textsOf('core/remove.ts', source)).toEqual([
    'Newest first',
    'no proxy',
    'Nothing to delete in {0}',
    'Delete # monitor | Delete # monitors',
  ]);
  expect(await textsOf('renderer/Note.tsx', component)).toEqual([
    'Waiting for <0>more</0> than {0} responses',
    'All events',
  ]);
});

it('chooses the form of a count, and fills in values', () => {
  const forms = ['# callback from {place}', '# callbacks from {place}'];
  const values = { place: 'Torino' };
  expect([0, 1, 2, 1234].map((count) => plural(count, forms, values))).toEqual([
    '0 callbacks from Torino',
    '1 callback from Torino',
    '2 callbacks from Torino',
    '1,234 callbacks from Torino',
  ]);
});
