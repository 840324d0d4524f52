// Writes the archive (archive-format.ts) during sweeps: new data is kept in memory and appended every few seconds, in whole lines.
// Errors here never affect sweeps or responses.
import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createCache } from '#service/cache/create-cache.ts';
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '#shared/time/clock.ts';
import { cellOf } from '#service/weather/reading/cells.ts';
import { simulationName } from '#service/weather/simulation/simulation.ts';
import type { WeatherRecorder } from '#service/weather/sources/weather-recorder.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import {
  archiveFileOf,
  archiveHeader,
  type ArchiveLine,
  forecastLine,
  observationLine,
  radarLine,
} from './archive-format.ts';

export type ArchiveWriter = WeatherRecorder & {
  /** Writes buffered data. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

type Dependencies = {
  folder: string;
  /** Size at which the oldest day is deleted. */
  maxBytes: number;
  machineClock: Clock;
  log: Logger;
};

const flushEveryMs = 5_000;
/** Data beyond this limit is dropped if writing is too slow. */
const maxWaitingBytes = 16 * 1024 * 1024;
const maxRemembered = 200_000;
/** The simulation has new data at each check. */
const simulatedEveryMs = 5 * 60_000;
const dayForm = /^\d{4}-\d{2}-\d{2}$/;

export function createArchiveWriter({ folder, maxBytes, machineClock, log }: Dependencies): ArchiveWriter {
  const waiting = new Map<string, string[]>();
  let waitingBytes = 0;
  /** What is already written, by cell and source or by station. */
  const written = createCache<string, number>(maxRemembered);
  const knownFiles = createCache<string, true>(10_000);
  /** Undefined until the folder is measured. */
  let bytes: number | undefined;
  let hasWarned = false;
  /** The day that filled the folder: the rest of it is not recorded. */
  let fullDay: string | undefined;
  let running: Promise<void> = Promise.resolve();
  let cancelTimer: CancelTimer = () => {};
  plan();

  function plan(): void {
    cancelTimer = machineClock.after(flushEveryMs, () => {
      void flush();
      plan();
    });
  }

  function add(place: LatLng, at: number, line: ArchiveLine): void {
    const text = `${JSON.stringify(line)}\n`;
    if (waitingBytes + text.length > maxWaitingBytes) return warn('writing to the archive is too slow');
    waitingBytes += text.length;
    const file = archiveFileOf(place, at);
    const lines = waiting.get(file);
    if (lines) lines.push(text);
    else waiting.set(file, [text]);
  }

  function isNew(key: string, at: number, minMs = 1): boolean {
    const last = written.get(key);
    if (last !== undefined && Math.abs(at - last) < minMs) return false;
    written.set(key, at);
    return true;
  }

  function warn(reason: string, err?: unknown): void {
    if (hasWarned) return;
    hasWarned = true;
    log.warn({ err, reason, folder }, 'weather is not being recorded; trying again on the next write');
  }

  async function write(): Promise<void> {
    const files = [...waiting];
    waiting.clear();
    waitingBytes = 0;
    try {
      bytes ??= (await measureDays(folder)).reduce((sum, day) => sum + day.bytes, 0);
      for (const [name, lines] of files) await append(`${join(folder, name)}.ndjson`, lines.join(''));
      if (bytes > maxBytes) await shorten();
    } catch (error) {
      bytes = undefined;
      warn('the folder cannot be written to', error);
      return;
    }
    hasWarned = fullDay !== undefined;
  }

  async function append(file: string, lines: string): Promise<void> {
    if (fullDay !== undefined && basename(dirname(file)) === fullDay) return;
    let text = lines;
    if (!knownFiles.has(file)) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      if (!(await isThere(file))) text = `${archiveHeader}\n${lines}`;
      knownFiles.set(file, true);
    }
    // One write of whole lines, so that several processes can share a folder.
    await appendFile(file, text, { mode: 0o600 });
    bytes = (bytes ?? 0) + Buffer.byteLength(text);
  }

  async function shorten(): Promise<void> {
    // Measured again, because other processes also write and delete.
    const days = await measureDays(folder);
    bytes = days.reduce((sum, day) => sum + day.bytes, 0);
    for (const [index, day] of days.entries()) {
      if (bytes <= maxBytes) break;
      if (index === days.length - 1) {
        fullDay = day.name;
        return warn('a single day fills the archive');
      }
      await rm(join(folder, day.name), { recursive: true, force: true });
      bytes -= day.bytes;
    }
    fullDay = undefined;
    knownFiles.clear();
  }

  function flush(): Promise<void> {
    running = running.then(write);
    return running;
  }

  return {
    saw(cell, { forecast, nowcast }, now) {
      const key = cellOf(cell);
      const minMs = forecast.source === simulationName ? simulatedEveryMs : 1;
      if (isNew(`${key} ${forecast.source}`, forecast.fetchedAt, minMs)) {
        add(cell, forecast.fetchedAt, forecastLine(cell, forecast));
      }
      if (nowcast && isNew(`${key} radar`, nowcast.updatedAt ?? now)) add(cell, now, radarLine(cell, nowcast, now));
    },
    observed(observations, now) {
      for (const observation of observations) {
        if (!isNew(observation.station, observation.at)) continue;
        add(observation.place, observation.at, observationLine(observation, now));
      }
    },
    flush,
    async close() {
      cancelTimer();
      await flush();
    },
  };
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Returns the folders of days with their sizes, oldest first; ignores other files. */
async function measureDays(folder: string): Promise<{ name: string; bytes: number }[]> {
  const names = await readdir(folder).catch(() => []);
  const days = [];
  for (const name of names.filter((each) => dayForm.test(each)).toSorted()) {
    const files = await readdir(join(folder, name)).catch(() => []);
    const sizes = await Promise.all(
      files.map((file) =>
        stat(join(folder, name, file)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    days.push({ name, bytes: sizes.reduce((sum, size) => sum + size, 0) });
  }
  return days;
}
