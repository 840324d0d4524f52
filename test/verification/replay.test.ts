// Replays and `npm run verify` against a month whose rain is known (known-weather.ts).
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { readArchive } from '#service/verification/archive-reader.ts';
import { estimateMedian, estimateShare } from '#service/verification/contingency.ts';
import { leadsOf, replay, tableOf } from '#service/verification/replay.ts';
import { standardPolicy } from '#service/watch/policy.ts';
import { countTable, drawSlots, known, knownArchive, writeLines } from './known-weather.ts';

const slots = drawSlots();
const project = join(import.meta.dirname, '../..');

async function verify(...args: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  // What `npm run verify` runs, without npm.
  const { verify: script } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')).scripts;
  const [, ...words] = String(script).split(' ');
  return promisify(execFile)(process.execPath, [...words, ...args], { cwd: project }).then(
    (output) => ({ ...output, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
}

describe('a replay', () => {
  it('gives the table, the shares, and the lead time that were put into the month', async () => {
    expect(gunzipSync(await readFile(knownArchive)).toString()).toBe(writeLines(slots));
    const places = await replay(await readArchive(knownArchive), standardPolicy);
    const { leads, ...table } = countTable(slots, standardPolicy.leastMmPerHour);
    expect(tableOf(places)).toEqual(table);
    // A sweep a minute is half a minute late on average.
    const expected = estimateMedian(leads);
    expect(estimateMedian(leadsOf(places))?.value).toBeCloseTo((expected?.value ?? 0) - 0.5, 5);

    const detection = estimateShare(table.hits, table.hits + table.misses);
    expect(detection?.low).toBeLessThan(known.detection);
    expect(detection?.high).toBeGreaterThan(known.detection);
    const falseShare = estimateShare(table.falseAlarms, table.hits + table.falseAlarms);
    expect(falseShare?.low).toBeLessThan(known.falseShare);
    expect(falseShare?.high).toBeGreaterThan(known.falseShare);
  });

  it('neither counts nor blames a time at which no one looked, or nothing was observed', async () => {
    const archive = await readArchive(knownArchive);
    const blind = await replay({ ...archive, observations: [] }, standardPolicy);
    expect(tableOf(blind)).toEqual({ hits: 0, falseAlarms: 0, misses: 0 });
    expect(blind.flatMap(({ events }) => events)).not.toHaveLength(0);
    const [cell = '', records = []] = [...archive.forecasts][0] ?? [];
    const short = await replay({ ...archive, forecasts: new Map([[cell, records.slice(0, 24)]]) }, standardPolicy);
    const { from } = known;
    const instants = short.flatMap(({ events, misses }) => [...events.map(({ at }) => at), ...misses]);
    expect(instants.every((at) => at < from + 25 * 3_600_000)).toBe(true);
  });
});

describe('npm run verify', () => {
  it('shows that a policy which is worse on purpose is worse', async () => {
    const deaf = join(temporaryFolder(), 'deaf.json');
    await writeFile(deaf, JSON.stringify({ ...standardPolicy, name: 'deaf', leastMmPerHour: 1 }));
    const args = ['--archive', knownArchive, '--policy', 'standard', '--policy', deaf];
    const [{ stdout }, json] = await Promise.all([verify(...args), verify(...args, '--json')]);
    const [good, bad] = [countTable(slots, 0.1), countTable(slots, 1)];
    expect(stdout).toMatch(/standard\/1 +deaf\/1/);
    expect(stdout).toMatch(new RegExp(`confirmed +${good.hits} +${bad.hits}`));
    expect(stdout).toMatch(new RegExp(`not confirmed +${good.falseAlarms} +${bad.falseAlarms}`));
    expect(stdout).toMatch(new RegExp(`Missed +${good.misses} +${bad.misses}`));
    expect(stdout).toMatch(/POD +-0\.\d\d \(-0\.\d\d to -0\.\d\d\) {2}worse/);
    expect(stdout).toMatch(/CSI +-0\.\d\d \(-0\.\d\d to -0\.\d\d\) {2}worse/);

    const { policies, comparison } = JSON.parse(json.stdout);
    expect(policies[1].scores.pod.value).toBeCloseTo(bad.hits / (bad.hits + bad.misses), 10);
    const expected = bad.hits / (bad.hits + bad.misses) - good.hits / (good.hits + good.misses);
    expect(comparison.differences.pod.value).toBeCloseTo(expected, 10);
    expect(comparison.differences.pod.high).toBeLessThan(0);
  });

  it('finds no difference between a policy and itself, and none in a few days', async () => {
    const [same, few] = await Promise.all([
      verify('--archive', knownArchive, '--policy', 'standard', '--policy', 'standard'),
      verify('--archive', knownArchive, '--policy', 'sure', '--policy', 'standard', '--until', '2026-09-03'),
    ]);
    expect(same.stdout).toMatch(/POD +\+0\.00 \(\+0\.00 to \+0\.00\) {2}no clear difference/);
    expect(few.stdout).toMatch(/on the same 3 days:\nPOD +not enough data/);
  });

  it('says what is wrong', async () => {
    const [missing, none, unknown, empty] = await Promise.all([
      verify(),
      verify('--archive', join(temporaryFolder(), 'nowhere')),
      verify('--archive', knownArchive, '--policy', 'nonsense'),
      verify('--archive', temporaryFolder()),
    ]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('error: missing --archive PATH') });
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere') });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('standard, forecast-only, early, sure') });
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('has no forecasts') });
  });
});
