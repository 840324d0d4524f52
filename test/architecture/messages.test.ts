import { readFileSync } from 'node:fs';
import PO from 'pofile';
import { expect, it } from 'vitest';
import { catalogFile, createCatalog, messagesOf } from '#scripts/messages.mjs';
import { plural } from '#shared/text/plural.ts';

it('has every text of the app in the catalog (`npm run messages` writes it)', async () => {
  expect(readFileSync(catalogFile, 'utf8')).toBe(await createCatalog());
});

/** Messages that only look like parts of a sentence. */
const wholeMessages: readonly string[] = [
  // The name of an address, and a reason that follows it: separate by design (shared/network/callback-address.ts).
  '{0} {1}, so requests can’t be sent there.',
  '{0} {1}, so nothing was sent there.',
  '{0} {1}, so nothing was sent there',
  // A time and its zone, a date and its time, or a label and its unit.
  '{0} {1}',
  '{0} to {1} {2}',
  '{0} {1} to {2}',
  'Clock change {0}, {1} {2} → {3} {4}',
  'Default: {0} {1}',
  'Fetched {0} {1} from {2}. {3}',
  'Fetched {0} {1}, {2} ago',
  'Showing the forecast from {0} {1} ({2} old).',
  '{0} fired at {1} and can fire again at {2} {3}',
  '{0} to {1}. Fetched {2} {3} from {4}',
  '{0} · fetched {1} {2} {3}',
  '{0}. Fetched {1} {2} from {3}',
  '{0}: {1}\n{2} {3}\nHTTP {4}, fetched {5}\n',
  // The last item of a list (shared/text/format-list.ts), which is a message of its own.
  'and {0} more',
  'and # more period of precipitation',
  'and # more periods of precipitation',
];

it('has no parts of sentences: each message can be read, searched, and translated as a whole', () => {
  const fragments = PO.parse(readFileSync(catalogFile, 'utf8'))
    .items.flatMap(({ msgid, msgid_plural: plurals }) => [msgid, plurals ?? ''])
    .filter((text) => looksLikeFragment(text) && !wholeMessages.includes(text));
  expect(fragments).toEqual([]);
});

it('recognizes a part of a sentence', () => {
  const fragments = [', search canceled', '. {0} more waiting', 'and {0} more', 'Created {0}{1}', 'Failed {0} {1}'];
  expect(fragments.filter(looksLikeFragment)).toEqual(fragments);
  const wholes = ['Created {0}: {1}', 'Andorra has {0} monitors', '… is loading', 'Sorted by {0}, {1}'];
  expect(wholes.filter(looksLikeFragment)).toEqual([]);
});

/** Begins like the rest of a sentence, or has two values side by side, one of which then contains words. */
function looksLikeFragment(text: string): boolean {
  return /^(?:[,.;:)·]|(?:and|or|but|because|which|whose)\b)|\} ?\{/.test(text);
}

it('finds texts in components, modules, errors, and plurals, and no code', async () => {
  const source = `
    const labels = { newest: 'Newest first', none: 'no proxy', path: '/v2/weather/', sql: 'SELECT id FROM callbacks' };
    const codes = ['Shift+F8', 'HTTP/1.1 405 Method Not Allowed', '400 Bad Request', 'id, url, status', 'size_bytes DESC', 'EdDSA'];
    const hints = ['After size: use >1kB, <500, or a number of bytes.', 'must be of the form <type>_<digits>'];
    log.warn({ err }, 'a secret could not be written');
    z.string().nullable().describe('what went wrong, in a few words');
    function check(hint = 'Check the signature before anything else.') {}
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
    'After size: use >1kB, <500, or a number of bytes.',
    'must be of the form <type>_<digits>',
    'Check the signature before anything else.',
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
