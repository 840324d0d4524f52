// Bodies above 16 KB are in append-only files beside app.sqlite, because SQLite writes each page of a BLOB twice. The rule: a file has
// the ID of a callback as its name, so none is used twice; it is on disk before the rows that name it, and is deleted when no row does.
import { closeSync, fdatasyncSync, openSync, readdirSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makePrivateFolder, syncFolder } from '@rainbell/shared/node';

/** As measured: up to 20 KB, a BLOB takes no more CPU than a file; 32 KB take a quarter more, 64 KB half as much again. */
export const maxInlineBytes = 16 * 1024;
const fileBytes = 64 * 1024 * 1024;

/** `file`: the ID in its name. */
export type BodyPlace = { file: number; offset: number };

type OpenFile = { id: number; descriptor: number; end: number };

export function bodyFolder(databaseFile: string): string {
  return `${databaseFile}-bodies`;
}

export function openBodyFiles(db: DatabaseSync) {
  const folder = bodyFolder(db.location() ?? '');
  const isNamed = db.prepare('SELECT 1 FROM callbacks WHERE body_file = ? LIMIT 1');
  let open: OpenFile | undefined;

  function close(): void {
    if (open) closeSync(open.descriptor);
    open = undefined;
  }

  function start(id: number): OpenFile {
    close();
    makePrivateFolder(folder);
    open = { id, descriptor: openSync(bodyFile(folder, id), 'w', 0o600), end: 0 };
    // The file's name must be on disk as well.
    syncFolder(folder);
    return open;
  }

  return {
    /** On disk when it returns; places are in the order of the bodies. `firstId`: of the callbacks that are stored next. */
    append(bodies: readonly Uint8Array[], firstId: number): BodyPlace[] {
      if (bodies.length === 0) return [];
      const file = open && open.end < fileBytes ? open : start(firstId);
      let { end } = file;
      const places = bodies.map(({ length }) => {
        const offset = end;
        end += length;
        return { file: file.id, offset };
      });
      try {
        for (const body of bodies) writeFileSync(file.descriptor, body);
        fdatasyncSync(file.descriptor);
      } catch (error) {
        // The file may end with a part of a body, so the next body gets a new file.
        close();
        throw error;
      }
      file.end = end;
      return places;
    },
    /** Deletes these if no row names them anymore. */
    drop(ids: readonly number[]) {
      for (const id of ids) if (id !== open?.id && !isNamed.get(id)) rmSync(bodyFile(folder, id), { force: true });
    },
    close,
  };
}

function bodyFile(folder: string, id: number): string {
  return join(folder, `${id}.bodies`);
}

function filesIn(folder: string): number[] {
  const names = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
  return names.flatMap((name) => /^(\d+)\.bodies$/.exec(name)?.[1] ?? []).map(Number);
}

/** Undefined if the file is gone or shorter. */
export function readBody(databaseFile: string, { file, offset }: BodyPlace, length: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(bodyFile(bodyFolder(databaseFile), file), 'r');
    const body = Buffer.allocUnsafe(length);
    return readSync(descriptor, body, 0, length, offset) === length ? body : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function countMissingBodies(db: DatabaseSync): number {
  const folder = bodyFolder(db.location() ?? '');
  const sizes = filesIn(folder).map((id) => [id, statSync(bodyFile(folder, id)).size]);
  const missing = db.prepare(
    `SELECT count(*) AS count FROM callbacks WHERE body_file IS NOT NULL
     AND body_offset + size_bytes > coalesce((SELECT value FROM json_each(?) WHERE key = body_file), 0)`,
  );
  return Number(missing.get(JSON.stringify(Object.fromEntries(sizes)))?.['count']);
}

/** Call it at the start, while nothing else uses the folder: what no row names was never acknowledged, or was deleted. */
export function deleteUnnamedFiles(db: DatabaseSync): void {
  openBodyFiles(db).drop(filesIn(bodyFolder(db.location() ?? '')));
}
