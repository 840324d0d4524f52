// Reads the pages of a SQLite file without SQLite, so that the readable part of a damaged file can be recovered: the main file with
// the committed pages of its write-ahead log. Never writes. Format: https://www.sqlite.org/fileformat2.html
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { endianness } from 'node:os';
import { systemCode } from '#shared/errors/system-code.ts';

export type SqlitePages = {
  /** Bytes of a page that the B-tree uses. */
  readonly usable: number;
  readonly pageCount: number;
  /** Numbers start at 1. Undefined if the page is missing from the file. */
  page: (number: number) => Buffer | undefined;
  /** `PRAGMA user_version`, or undefined if the header is not readable. */
  readonly userVersion: number | undefined;
  /** Unused pages: deleted rows may still be visible in them. Undefined if the list itself is damaged. */
  freePages: () => ReadonlySet<number> | undefined;
  close: () => void;
};

export const databaseHeaderBytes = 100;
const magic = Buffer.from('SQLite format 3\0', 'latin1');
const defaultPageSize = 4096;

/** Returns the header's page size, or undefined if the file does not start like a SQLite file. */
function pageSizeIn(header: Buffer): number | undefined {
  if (header.length < databaseHeaderBytes || !header.subarray(0, 16).equals(magic)) return undefined;
  const size = header.readUInt16BE(16);
  return isPageSize(size === 1 ? 65_536 : size) ? (size === 1 ? 65_536 : size) : undefined;
}

function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
}

export function openSqlitePages(file: string): SqlitePages {
  const wal = readWal(`${file}-wal`);
  const descriptor = statSync(file, { throwIfNoEntry: false }) ? openSync(file, 'r') : undefined;
  const fileBytes = descriptor === undefined ? 0 : fstatSync(descriptor).size;
  const inFile = readAt(descriptor, databaseHeaderBytes, 0);
  const pageSize = pageSizeIn(inFile) ?? wal?.pageSize ?? defaultPageSize;

  function page(number: number): Buffer | undefined {
    const logged = wal?.pages.get(number);
    if (logged) return logged;
    const bytes = readAt(descriptor, pageSize, (number - 1) * pageSize);
    return bytes.length === pageSize ? bytes : undefined;
  }

  const header = page(1)?.subarray(0, databaseHeaderBytes) ?? Buffer.alloc(0);
  const isHeaderGood = pageSizeIn(header) === pageSize;
  const reserved = isHeaderGood ? header.readUInt8(20) : 0;
  const pagesInFile = Math.floor(fileBytes / pageSize);
  const pageCount = Math.max(pagesInFile, wal?.pageCount ?? 0, ...(wal?.pages.keys() ?? []));
  return {
    usable: pageSize - reserved,
    pageCount,
    page,
    userVersion: isHeaderGood ? header.readUInt32BE(60) : undefined,
    freePages: () => (isHeaderGood ? walkFreeList(header, page, pageCount) : undefined),
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

/** `PRAGMA user_version` of a file that may be damaged; undefined if its header is not readable. */
export function readUserVersion(file: string): number | undefined {
  const pages = openSqlitePages(file);
  pages.close();
  return pages.userVersion;
}

function walkFreeList(
  header: Buffer,
  page: (number: number) => Buffer | undefined,
  pageCount: number,
): ReadonlySet<number> | undefined {
  const free = new Set<number>();
  const expected = header.readUInt32BE(36);
  for (let trunk = header.readUInt32BE(32); trunk !== 0;) {
    const bytes = trunk <= pageCount && !free.has(trunk) ? page(trunk) : undefined;
    const leaves = bytes?.readUInt32BE(4) ?? Infinity;
    if (!bytes || leaves > bytes.length / 4 - 2) return undefined;
    free.add(trunk);
    for (let index = 0; index < leaves; index += 1) free.add(bytes.readUInt32BE(8 + index * 4));
    trunk = bytes.readUInt32BE(0);
  }
  return free.size === expected ? free : undefined;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function readAt(descriptor: number | undefined, length: number, position: number): Buffer {
  if (descriptor === undefined) return Buffer.alloc(0);
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
}

/** The committed part of a write-ahead log. `frames` counts it; `pageCount` is the database's size after it. */
type Wal = { pageSize: number; salts: Buffer; frames: number; pageCount: number; pages: ReadonlyMap<number, Buffer> };

const walHeaderBytes = 32;
const frameHeaderBytes = 24;

/** Returns undefined if there is no log or its header is damaged. The log holds some megabytes (`wal_autocheckpoint`). */
function readWal(file: string): Wal | undefined {
  const bytes = readIfThere(file);
  if (bytes === undefined || bytes.length < walHeaderBytes) return undefined;
  const kind = bytes.readUInt32BE(0);
  const pageSize = bytes.readUInt32BE(8);
  if ((kind & ~1) !== 0x377f0682 || !isPageSize(pageSize)) return undefined;
  const isBigEndian = (kind & 1) === 1;
  let sum = checksum(bytes.subarray(0, 24), isBigEndian, [0, 0]);
  if (!isSum(bytes, 24, sum)) return undefined;
  const salts = bytes.subarray(16, 24);
  const pages = new Map<number, Buffer>();
  let uncommitted: [number, Buffer][] = [];
  let committed = { frames: 0, pageCount: 0 };
  const frameBytes = frameHeaderBytes + pageSize;
  for (let frame = 1, at = walHeaderBytes; at + frameBytes <= bytes.length; frame += 1, at += frameBytes) {
    if (!bytes.subarray(at + 8, at + 16).equals(salts)) break;
    const content = bytes.subarray(at + frameHeaderBytes, at + frameBytes);
    sum = checksum(content, isBigEndian, checksum(bytes.subarray(at, at + 8), isBigEndian, sum));
    if (!isSum(bytes, at + 16, sum)) break;
    uncommitted.push([bytes.readUInt32BE(at), content]);
    const pageCount = bytes.readUInt32BE(at + 4);
    if (pageCount === 0) continue;
    for (const [number, page] of uncommitted) pages.set(number, page);
    uncommitted = [];
    committed = { frames: frame, pageCount };
  }
  return { pageSize, salts, pages, ...committed };
}

type Sum = readonly [number, number];

function checksum(bytes: Buffer, isBigEndian: boolean, [first, second]: Sum): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0;
  }
  return [first, second];
}

function isSum(bytes: Buffer, at: number, [first, second]: Sum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}

export type FileDamage = { kind: 'missing' | 'empty' | 'header' | 'truncated' | 'log'; detail: string };

/**
 * Finds damage without reading every page: a log without its file, an empty file, no header, missing pages, or a log that lost
 * commits. Reads only the header and the log. Call it while no process has the file open.
 */
export function findFileDamage(file: string): FileDamage | undefined {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  const walBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === undefined) return walBytes > 0 ? { kind: 'missing', detail: 'the file was missing' } : undefined;
  if (bytes === 0) return { kind: 'empty', detail: 'the file was empty (0 bytes)' };
  const wal = walBytes > 0 ? readWal(`${file}-wal`) : undefined;
  const lost = lostCommits(file, wal);
  if (lost > 0) return { kind: 'log', detail: `the last ${lost} pages of its write-ahead log were missing or damaged` };
  const descriptor = openSync(file, 'r');
  try {
    return findInHeader(wal?.pages.get(1) ?? readAt(descriptor, databaseHeaderBytes, 0), bytes, wal);
  } finally {
    closeSync(descriptor);
  }
}

function findInHeader(header: Buffer, fileBytes: number, wal: Wal | undefined): FileDamage | undefined {
  const pageSize = pageSizeIn(header);
  if (pageSize === undefined) return { kind: 'header', detail: 'the file did not start with a valid database header' };
  // An old writer may leave the size unset; then these two differ.
  const isSizeSet = header.readUInt32BE(24) === header.readUInt32BE(92);
  const expected = wal && wal.frames > 0 ? wal.pageCount : isSizeSet ? header.readUInt32BE(28) : 0;
  const present = Math.floor(fileBytes / pageSize);
  for (let page = present + 1; page <= expected; page += 1) {
    if (wal?.pages.has(page)) continue;
    return { kind: 'truncated', detail: `the file ended after ${present} of ${expected} pages` };
  }
  return undefined;
}

/**
 * Returns how many committed pages are missing in the log. Its index (`-shm`) outlives a killed process and counts only what was on
 * disk: https://www.sqlite.org/walformat.html#the_wal_index_file_format
 */
function lostCommits(file: string, wal: Wal | undefined): number {
  const index = readIfThere(`${file}-shm`)?.subarray(0, 100);
  if (
    index === undefined ||
    index.length < 100 ||
    !index.subarray(0, 48).equals(index.subarray(48, 96)) ||
    index[12] !== 1
  )
    return 0;
  const read = (at: number) => (endianness() === 'LE' ? index.readUInt32LE(at) : index.readUInt32BE(at));
  const [committed, copied] = [read(16), read(96)];
  if (committed <= copied) return 0;
  const isSameLog = wal === undefined || index.subarray(32, 40).equals(wal.salts);
  return isSameLog ? Math.max(0, committed - (wal?.frames ?? 0)) : 0;
}
