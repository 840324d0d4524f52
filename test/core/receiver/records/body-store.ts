// A store whose body files a test places, writes, and looks at.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { bodyFolder, openBodyFiles } from '#core/receiver/records/body-files.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

/** A database, and the folder with its body files. */
export function openStore() {
  const { db, file, close } = openAppDatabase({
    file: join(temporaryFolder(), 'app.sqlite'),
    clock: createManualClock(),
  });
  onTestFinished(close);
  const folder = bodyFolder(file);
  return {
    db,
    file,
    folder,
    close,
    files: () => (existsSync(folder) ? readdirSync(folder).toSorted() : []),
    place(names: readonly string[], text = 'body') {
      mkdirSync(folder, { recursive: true });
      for (const name of names) writeFileSync(join(folder, name), text);
    },
    /** Says that a callback has its body in these. */
    nameFiles(...ids: readonly number[]) {
      const insert = db.prepare(
        `INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags, size_bytes, body_file,
         body_offset, headers, body) VALUES (?1, 0, '', '', '', '', 0, 0, 4, ?1, 0, '[]', x'')`,
      );
      for (const id of ids) insert.run(id);
    },
  };
}

export function openBodies(store = openStore()) {
  const bodies = openBodyFiles(store.db);
  onTestFinished(bodies.close);
  return { ...store, bodies };
}

/** Descriptors are the lowest free numbers. */
export function nextDescriptor(file: string): number {
  const opened = openSync(file, 'r');
  closeSync(opened);
  return opened;
}
