// Whatever is in the place of the settings file: the app starts, says what it found, and keeps the bytes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, it } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import { prepareSettingsFile } from '#core/settings/settings-file.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { oddJson, oddJsonText } from './odd-json.ts';

const names = [
  'theme',
  'zone',
  'place',
  'savedPlaces',
  'receiverPort',
  'keptLimits',
  'connections',
  'selectedConnection',
];

function freshFolder(parent: string): string {
  const folder = join(parent, String(readdirSync(parent).length));
  mkdirSync(folder);
  return folder;
}

it('an unreadable settings file is backed up byte for byte, with a notice', () => {
  const parent = temporaryFolder();
  fc.assert(
    fc.property(oddJsonText(names), (text) => {
      const folder = freshFolder(parent);
      const file = join(folder, 'settings.json');
      writeFileSync(file, text);
      const notices = prepareSettingsFile(file, systemClock);
      const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
      expect(kept).toContain(text.toWellFormed());
      const isSetAside = readdirSync(folder).some((name) => name.includes('unreadable'));
      expect(notices.length > 0).toBe(isSetAside);
    }),
    { numRuns: 100 },
  );
});

it('settings of any shape give complete settings, and a notice names each replaced value', () => {
  fc.assert(
    fc.property(oddJson(names), (value) => {
      const stored = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as object;
      let backUps = 0;
      const port = {
        read: () => value as Record<string, unknown>,
        write: () => {},
        backUp: () => {
          backUps += 1;
          return 'settings.json.kept';
        },
      };
      const settings = createAppSettings(port, () => {});
      expect(settings.get().place.name.length).toBeGreaterThan(0);
      const kept: Record<string, unknown> = settings.get();
      const replaced = Object.entries(stored).flatMap(([name, given]) =>
        names.includes(name) && !isDeepStrictEqual(kept[name], given) ? [name] : [],
      );
      // Unknown fields have a notice of their own, without a backup.
      const notices = settings.notices.filter((notice) => notice.includes('The original file was backed up as'));
      const named = notices.flatMap((notice) => /\(([^)]*)\)/.exec(notice)?.[1]?.split(', ') ?? []);
      expect(named.toSorted()).toEqual(replaced.toSorted());
      expect([notices.length, backUps]).toEqual(replaced.length > 0 ? [1, 1] : [0, 0]);
    }),
    { numRuns: 500 },
  );
});
