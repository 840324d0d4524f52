// Backups of app.sqlite while the app runs: the copies of shared/node/database-copies.ts, made daily and on request. The next start
// restores one.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Backup } from '@rainbell/contract/app-rpc';
import { type Clock, isDamage } from '@rainbell/shared';
import {
  cancelPlan,
  checkDatabase,
  copiedFile,
  createCopy,
  explainStorageError,
  keepDailyCopies,
  listCopies,
  pendingRestore,
  planRestore,
} from '@rainbell/shared/node';
import { AppFailure } from '../errors/app-failure.ts';
import type { Log } from '../ports/log.ts';

type BackupsDependencies = { file: string; clock: Clock; log: Log; onDamage: (detail: string) => void };

export function createBackups({ file, clock, log, onDamage }: BackupsDependencies) {
  const ending = new AbortController();
  let creating: Promise<Backup> | undefined;

  function create(signal?: AbortSignal): Promise<Backup> {
    const either = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
    creating ??= createCopy(file, clock, either).finally(() => {
      creating = undefined;
    });
    return creating;
  }

  const endDaily = keepDailyCopies({
    file,
    clock,
    create,
    onFailed(error) {
      log.warn({ err: error, database: file }, 'daily backup failed');
      if (isDamage(error)) onDamage('damaged pages were found while it was copied');
    },
  });

  function requireKnown(name: string): void {
    if (listCopies(file).some((copy) => copy.name === name)) return;
    throw new AppFailure('NOT_FOUND', `There is no backup “${name.slice(0, 60)}”.`, { field: 'name' });
  }

  return {
    /** Newest first. */
    list: (): Backup[] => listCopies(file),
    /** `signal` ends it, and removes what was copied. */
    async create(signal?: AbortSignal): Promise<Backup> {
      try {
        return await create(signal);
      } catch (error) {
        signal?.throwIfAborted();
        const { phrase, remedy } = explainStorageError(error, file);
        throw new AppFailure('STORAGE', `The backup couldn’t be written (${phrase}). ${remedy}.`, {}, { cause: error });
      }
    },
    /** An aborted `signal` plans nothing. Throws AppFailure INVALID_INPUT with the reason if the backup can't be used. */
    async restore(name: string, signal?: AbortSignal) {
      requireKnown(name);
      const result = await checkDatabase(copiedFile(file, name), signal).catch((error: Error) => error.message);
      signal?.throwIfAborted();
      if (result !== 'ok') {
        const message = `The backup ${name} can’t be restored: it is damaged (${result}). Nothing was changed.`;
        throw new AppFailure('INVALID_INPUT', message, { field: 'name' });
      }
      planRestore(file, name);
    },
    cancelRestore: (): void => cancelPlan(file),
    pendingRestore: (): string | null => pendingRestore(file),
    delete(name: string) {
      requireKnown(name);
      if (pendingRestore(file) === name) cancelPlan(file);
      rmSync(dirname(copiedFile(file, name)), { recursive: true, force: true });
    },
    async close() {
      ending.abort();
      await endDaily();
      await creating?.catch(() => {});
    },
  };
}
