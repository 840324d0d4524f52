// A store whose body files a test places, writes, and looks at.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { openBodySegments, segmentFolder } from '#core/receiver/records/body-segments.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

/** A database, and the folder with its body files. */
export function openStore() {
  const { db, file, close } = openAppDatabase({
    file: join(temporaryFolder(), 'app.sqlite'),
    clock: createManualClock(),
  });
  onTestFinished(close);
  const folder = segmentFolder(file);
  return {
    db,
    file,
    folder,
    files: () => (existsSync(folder) ? readdirSync(folder).toSorted() : []),
    place(names: readonly string[], text = 'body') {
      mkdirSync(folder, { recursive: true });
      for (const name of names) writeFileSync(join(folder, name), text);
    },
    /** Says that a callback has its body in these. */
    nameSegments: (...segments: readonly number[]) =>
      segments.forEach((segment) =>
        db.prepare('INSERT INTO callback_bodies (callback_id, segment, offset) VALUES (?, ?, 0)').run(segment, segment),
      ),
  };
}

export function openSegments(store = openStore()) {
  const segments = openBodySegments(store.db);
  onTestFinished(segments.close);
  return { ...store, segments };
}

/** Descriptors are the lowest free numbers. */
export function nextDescriptor(file: string): number {
  const opened = openSync(file, 'r');
  closeSync(opened);
  return opened;
}
