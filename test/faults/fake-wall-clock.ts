// The wall clock of a real process, moved while it runs by Debian's libfaketime (apt-get install libfaketime). Its monotonic
// clock stays real, as on a machine whose clock is set.
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteMissing } from '#test/setup/missing.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const libraries = '/usr/lib';
const library = process.platform === 'linux' ? findLibrary() : undefined;

/** Why the wall clock cannot be moved here; undefined if it can. */
export const missingFakeClock = library === undefined ? noteMissing('libfaketime') : undefined;

export type FakeWallClock = {
  /** For the process whose clock it is. */
  environment: Record<string, string>;
  /** Sets the process's wall clock to so many hours ahead of the real one; takes effect at once. */
  setAhead(hours: number): void;
  /** What the process reads now. */
  now(): number;
};

/** `passing`: the monotonic clock moves along, as if the time passed; then the process sees no jump. */
export function fakeWallClock(hoursAhead: number, { passing = false } = {}): FakeWallClock {
  const folder = temporaryFolder();
  const file = join(folder, 'offset');
  let aheadMs = 0;
  const setAhead = (hours: number) => {
    const seconds = Math.round(hours * 3600);
    aheadMs = seconds * 1000;
    // Renamed into place, because the process reads the file with each look at its clock.
    writeFileSync(`${file}.new`, `${seconds >= 0 ? '+' : ''}${seconds}\n`);
    renameSync(`${file}.new`, file);
  };
  setAhead(hoursAhead);
  return {
    environment: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      ...(passing ? {} : { FAKETIME_DONT_FAKE_MONOTONIC: '1' }),
    },
    setAhead,
    now: () => Date.now() + aheadMs,
  };
}

function findLibrary(): string | undefined {
  return readdirSync(libraries)
    .map((folder) => join(libraries, folder, 'faketime', 'libfaketime.so.1'))
    .find((path) => existsSync(path));
}
