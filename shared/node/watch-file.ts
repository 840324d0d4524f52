// SQLite keeps writing into a file that was removed, replaced, or truncated while open, and all of that would be lost.
import { statSync } from 'node:fs';

export class FileLostError extends Error {
  /** To follow "because". */
  readonly detail: string;
  /** SQLITE_CORRUPT: the file accepts no more writes. */
  readonly errcode = 11;

  constructor(detail: string) {
    super(detail);
    this.detail = detail;
  }
}

/** Returns a check, a few microseconds long, that throws FileLostError if the path is not the same complete file anymore. */
export function watchFile(file: string): () => void {
  const { ino } = statSync(file);
  let { size } = statSync(file);
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) throw new FileLostError('the file was removed while it was in use');
    if (found.ino !== ino) throw new FileLostError('the file was replaced while it was in use');
    if (found.size < size) throw new FileLostError('the file was truncated while it was in use');
    size = found.size;
  };
}
