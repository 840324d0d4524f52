// `rainbell monitors plan` and `apply`: what they find to do, and that a second run finds nothing.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planOf } from '#command-line/commands/monitors-as-code.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { monitorOf } from '#test/renderer/monitors/monitor-samples.ts';
import { runRainbell } from './rainbell-process.ts';

const monitor = (id: string, lat: number, callbackUri: string | null, toThisApp = false) =>
  monitorOf(id, { geo: { lat, lng: 7 }, callbackUri, toThisApp });
const entry = (lat: number, callback_uri: string, id?: string) => ({
  geo: { lat, lng: 7 },
  callback_uri,
  ...(id !== undefined && { id }),
});

test('an entry is the monitor of its id, else one of its place and callback, and none twice', () => {
  const existing = [
    monitor('a', 1, 'https://x/1'),
    monitor('b', 2, 'https://x/2'),
    monitor('c', 3, 'http://127.0.0.1:4545/hooks/kxz', true),
    monitor('d', 4, null),
  ];
  const wanted = [
    entry(9, 'https://x/9', 'a'),
    entry(2, 'https://x/2'),
    entry(2, 'https://x/2'),
    entry(3, 'this-app'),
    entry(1, 'https://x/1', 'unknown'),
  ];
  const { create, change, surplus, unchanged } = planOf(wanted, existing);
  expect(create).toEqual([entry(2, 'https://x/2'), entry(1, 'https://x/1', 'unknown')]);
  expect(change.map(({ from, to }) => [from.id, to.geo.lat])).toEqual([['a', 9]]);
  expect(surplus.map(({ id }) => id)).toEqual(['d']);
  expect(unchanged).toBe(2);
});

test('an entry with other events is another monitor, or a change of the one with its id', () => {
  const options = { payload: 'event', events: ['precipitation.ended'] } as const;
  const own = { ...options, events: [...options.events] };
  const existing = [monitor('a', 1, 'https://x/1'), { ...monitor('b', 1, 'https://x/1'), options: own }];
  const same = planOf([entry(1, 'https://x/1'), { ...entry(1, 'https://x/1'), ...own }], existing);
  expect([same.create, same.change, same.unchanged]).toEqual([[], [], 2]);
  const changed = planOf([{ ...entry(1, 'https://x/1', 'a'), ...own }, entry(1, 'https://x/1', 'b')], existing);
  expect(changed.change.map(({ from }) => from.id)).toEqual(['a', 'b']);
  const other = { ...own, conditions: { min_precipitation_rate: 2 } };
  expect(planOf([{ ...entry(1, 'https://x/1'), ...other }], existing).create).toHaveLength(1);
});

test('plan shows, apply changes, a second apply changes nothing, and --prune deletes the rest', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'monitors.json');
  const write = (monitors: unknown) => writeFile(file, JSON.stringify({ monitors }));
  const run = (command: string, ...flags: string[]) =>
    runRainbell(['monitors', command, file, '--port', '4999', '--data', folder, ...flags]);
  const expectSays = async (args: readonly [command: string, ...flags: string[]], code: number, words: string) =>
    expect(await run(...args)).toMatchObject({ code, words: expect.stringContaining(words) });
  await write([entry(45, 'https://example.com/a'), entry(46, 'this-app')]);
  expect((await run('plan')).out).toMatch(/^\+ create.*\n\+ create.*\n$/);
  await expectSays(['plan'], 1, '2 to create, 0 to change, 0 to delete, 0 unchanged\n');
  await expectSays(['apply'], 1, '2 created, 0 changed, 0 deleted, 0 unchanged, 0 failed\n');
  expect(await run('apply', '--json')).toMatchObject({ code: 0, out: expect.stringContaining('"unchanged":2') });

  await write([entry(45, 'https://example.com/a')]);
  await expectSays(['plan'], 0, '1 monitor is not in the file; --prune deletes it.');
  await expectSays(['plan', '--prune'], 1, '0 to create, 0 to change, 1 to delete, 1 unchanged\n');
  await expectSays(['apply', '--prune'], 1, '0 created, 0 changed, 1 deleted, 1 unchanged, 0 failed\n');
  expect((await run('plan', '--prune')).code).toBe(0);

  await write(Array.from({ length: 12 }, (_, index) => entry(45, `https://example.com/${index === 0 ? 'a' : index}`)));
  await run('apply');
  await write([entry(45, 'https://example.com/a')]);
  await expectSays(['apply', '--prune'], 2, 'Delete 11 monitors that are not in the file? Type yes to continue.');
  await expectSays(['apply', '--prune', '--yes'], 1, '11 deleted');

  await write([entry(91, 'https://example.com/a')]);
  await expectSays(['apply'], 2, 'monitors, item 1, geo, lat: must be a number between -90 and 90.');
  await write([entry(45, 'ftp://example.com/')]);
  await expectSays(['plan'], 2, 'only over HTTP or HTTPS');
  await writeFile(file, '[]');
  await expectSays(['apply'], 2, 'the file should be an object');
  await write([entry(45, 'http://169.254.169.254/'), entry(45, 'https://example.com/a')]);
  await expectSays(['apply'], 2, 'Couldn’t create 45, 7 → http://169.254.169.254/');
  await expectSays(['apply'], 2, '0 created, 0 changed, 0 deleted, 1 unchanged, 1 failed\n');
  expect((await runRainbell(['monitors', 'apply', join(folder, 'none.json')])).code).toBe(2);
});
