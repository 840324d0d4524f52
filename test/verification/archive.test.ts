// The archive: what is written can be read, within its limits, and nothing depends on it.
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { readArchive } from '#service/verification/archive-reader.ts';
import { createArchiveWriter } from '#service/verification/archive-writer.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';

const start = Date.parse('2026-11-21T06:00:00Z');
const dayMs = 86_400_000;
const turin = { lat: 45.1, lng: 7.7 };

const forecast = (fetchedAt: number): CellWeather => ({
  source: 'open-meteo',
  grid: { lat: 45.08, lng: 7.68 },
  fetchedAt,
  freshUntil: fetchedAt + 900_000,
  current: { at: fetchedAt - 60_000, status: 'cloudy' },
  steps: [],
  rainfall: [0, 0, 1.2, 1.2].map((mmPerHour, index) => ({
    from: fetchedAt + index * 900_000,
    until: fetchedAt + (index + 1) * 900_000,
    mmPerHour,
  })),
});
const report = (at: number, isPrecipitating = true) => ({
  station: 'LIMF',
  place: { lat: 45.2, lng: 7.65 },
  at,
  status: isPrecipitating ? ('rainy' as const) : ('cloudy' as const),
  isPrecipitating,
});

function startWriter(mostBytes = 1_000_000, folder = join(temporaryFolder(), 'record')) {
  const warnings: unknown[] = [];
  const log = pino({ level: 'warn' }, { write: (text: string) => void warnings.push(JSON.parse(text)) });
  const writer = createArchiveWriter({ folder, maxBytes: mostBytes, machineClock: createManualClock(start), log });
  onTestFinished(() => writer.close());
  return { writer, folder, warnings };
}

describe('the archive', () => {
  it('gives back what was written, each thing once, in files that only the service can read', async () => {
    const { writer, folder } = startWriter();
    writer.saw(turin, { forecast: forecast(start) }, start + 1_000);
    writer.saw(turin, { forecast: forecast(start) }, start + 61_000);
    const nowcast = { rainfall: forecast(start).rainfall, updatedAt: start, current: undefined };
    writer.saw(turin, { forecast: forecast(start + 900_000), nowcast }, start + 900_000);
    writer.observed([report(start), report(start)], start + 300_000);
    await writer.flush();

    const archive = await readArchive(folder);
    expect(archive).toMatchObject({ lines: 5, skippedLines: 0, isPartial: false });
    expect(archive.forecasts.get('45.1,7.7')?.map(({ at }) => at)).toEqual([start, start + 900_000]);
    expect(archive.forecasts.get('45.1,7.7')?.[0]?.weather).toEqual({
      ...forecast(start),
      grid: turin,
      // Neighbors of one rate become one.
      rainfall: [
        { from: start, until: start + 1_800_000, mmPerHour: 0 },
        { from: start + 1_800_000, until: start + 3_600_000, mmPerHour: 1.2 },
      ],
    });
    expect(archive.radars.get('45.1,7.7')).toHaveLength(1);
    expect(archive.observations).toEqual([{ at: start + 300_000, observation: report(start) }]);

    const file = join(folder, '2026-11-21', '45,7.ndjson');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(new Set((await readFile(file, 'utf8')).match(/"\w+":/g))).toEqual(
      new Set(
        [
          'kind',
          'version',
          'at',
          'cell',
          'source',
          'fresh',
          'status',
          'rain',
          'station',
          'lat',
          'lng',
          'time',
          'wet',
        ].map((name) => `"${name}":`),
      ),
    );
  });

  it('reads the requested days and places, compressed or not', async () => {
    const { writer, folder } = startWriter();
    for (const place of [turin, { lat: 45.1, lng: 8.1 }, { lat: 60.2, lng: 11.1 }, { lat: 45.1, lng: -179.9 }]) {
      writer.saw(place, { forecast: forecast(start) }, start);
      writer.saw(place, { forecast: forecast(start + 3 * dayMs) }, start);
    }
    await writer.flush();
    const cells = async (selection: Parameters<typeof readArchive>[1]) =>
      [...(await readArchive(folder, selection)).forecasts.keys()].toSorted();
    expect(await cells({})).toHaveLength(4);
    expect(await cells({ around: { place: turin, km: 50 } })).toEqual(['45.1,7.7', '45.1,8.1']);
    expect(await cells({ around: { place: { lat: 45.1, lng: 179.9 }, km: 50 } })).toEqual(['45.1,-179.9']);
    const late = await readArchive(folder, { from: start + dayMs });
    expect(late.forecasts.get('45.1,7.7')).toHaveLength(1);

    const file = join(folder, '2026-11-21', '45,7.ndjson');
    await writeFile(join(folder, '2026-11-21', '45,9.ndjson.gz'), gzipSync(await readFile(file)));
    expect((await readArchive(folder)).forecasts.get('45.1,7.7')).toHaveLength(3);
  });

  it('skips damaged lines and files, and counts them', async () => {
    const { writer, folder } = startWriter();
    writer.saw(turin, { forecast: forecast(start) }, start);
    await writer.flush();
    const file = join(folder, '2026-11-21', '45,7.ndjson');
    const good = (await readFile(file, 'utf8')).trim().split('\n')[1] ?? '';
    const damaged = [good.slice(0, 40), '{}', good.replace('cloudy', 'tasty'), good.replace('"at":1', '"at":9e')];
    await appendFile(file, `${damaged.join('\n')}\n${' '.repeat(20_000)}\n${good}\n${good.slice(0, 60)}`);
    await writeFile(join(folder, '2026-11-21', '46,7.ndjson.gz'), gzipSync(`${good}\n`).subarray(0, 30));
    await writeFile(join(folder, '2026-11-21', '47,7.ndjson'), 'x'.repeat(100_000));
    const archive = await readArchive(folder);
    expect(archive.forecasts.get('45.1,7.7')).toHaveLength(2);
    expect(archive.skippedLines).toBeGreaterThanOrEqual(8);
    expect((await readArchive(folder, { maxBytes: 300 })).isPartial).toBe(true);
    expect((await readArchive(folder, { isOver: () => true })).isPartial).toBe(true);
  });

  it('deletes its oldest days beyond its size, and nothing else in the folder', async () => {
    const { writer, folder } = startWriter(3_000);
    await mkdir(join(folder, 'mine'), { recursive: true });
    for (let day = 0; day < 6; day += 1) {
      const at = start + day * dayMs;
      for (let each = 0; each < 4; each += 1) writer.saw(turin, { forecast: forecast(at + each * 900_000) }, at);
      await writer.flush();
    }
    expect(await readdir(folder)).toEqual(['2026-11-24', '2026-11-25', '2026-11-26', 'mine']);
  });

  it('leaves out the rest of a day that fills it alone', async () => {
    const { writer, folder, warnings } = startWriter(1_000);
    for (let each = 0; each < 40; each += 1) {
      writer.saw(turin, { forecast: forecast(start + each * 60_000) }, start);
      await writer.flush();
    }
    const { size } = await stat(join(folder, '2026-11-21', '45,7.ndjson'));
    expect(size).toBeLessThan(2_000);
    expect(warnings).toEqual([expect.objectContaining({ reason: 'a single day fills the archive' })]);
    writer.saw(turin, { forecast: forecast(start + dayMs) }, start);
    await writer.flush();
    await writer.flush();
    expect(await readdir(folder)).toEqual(['2026-11-22']);
  });

  it('warns once while the folder cannot be written to, and continues once it can', async () => {
    const folder = join(temporaryFolder(), 'record');
    await writeFile(folder, 'in the way');
    const { writer, warnings } = startWriter(1_000_000, folder);
    for (let each = 0; each < 3; each += 1) {
      writer.saw(turin, { forecast: forecast(start + each * 900_000) }, start);
      await writer.flush();
    }
    expect(warnings).toEqual([
      expect.objectContaining({ msg: expect.stringContaining('weather is not being recorded') }),
    ]);
  });
});
