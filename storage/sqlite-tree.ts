// Decodes the B-trees of a SQLite file, page by page, and continues past damage. Format:
// https://www.sqlite.org/fileformat2.html#b_tree_pages
import type { SqlitePages } from './sqlite-pages.ts';

export type SqliteValue = null | number | bigint | string | Buffer;

/** `rowid` is 0 in trees of indexes and of WITHOUT ROWID tables. */
export type SqliteRow = { rowid: number; values: SqliteValue[] };

/** Rowids that a damaged page may have contained, inclusive. */
export type RowidRange = { first: number; last: number };

export type TreeReport = {
  /** Pages that could not be read; each may have held many rows. */
  unreadablePages: number;
  /** Rows that could not be decoded on otherwise readable pages. */
  unreadableRows: number;
  /** In trees with rowids. */
  lostRanges: RowidRange[];
};

const kinds = { indexInterior: 2, tableInterior: 5, indexLeaf: 10, tableLeaf: 13 } as const;
const deepestTree = 30;
const utf8 = new TextDecoder('utf-8', { fatal: true });

class DamagedRecord extends Error {}

type PageHead = { kind: number; cells: readonly number[]; rightmost: number };

export type SqliteTrees = {
  /** Reads all rows below a root page, calls `onRow` for each, and marks their pages as visited. */
  read: (root: number, onRow: (row: SqliteRow) => void) => TreeReport;
  /**
   * Yields rows of leaves that no tree reaches, for example because their parent page is gone, page by page. `used` skips free
   * pages, on which deleted rows may be visible, and yields nothing if the free pages are unknown.
   */
  unreached: (which: 'used' | 'all') => Generator<SqliteRow[]>;
};

export function openSqliteTrees(pages: SqlitePages): SqliteTrees {
  const visited = new Uint8Array(pages.pageCount + 1);
  const reader = createRecordReader(pages);

  function headOf(number: number): PageHead | undefined {
    const bytes = number >= 1 && number <= pages.pageCount ? pages.page(number) : undefined;
    return bytes && readHead(bytes, number === 1 ? 100 : 0, pages.usable);
  }

  function read(root: number, onRow: (row: SqliteRow) => void): TreeReport {
    const report: TreeReport = { unreadablePages: 0, unreadableRows: 0, lostRanges: [] };

    const isTable = isTableKind(headOf(root)?.kind);

    function giveUp(bounds: RowidRange): void {
      report.unreadablePages += 1;
      report.lostRanges.push(bounds);
    }

    function walk(number: number, bounds: RowidRange, depth: number): void {
      const head = depth < deepestTree && visited[number] === 0 ? headOf(number) : undefined;
      const bytes = head && pages.page(number);
      if (!head || !bytes || isTableKind(head.kind) !== isTable) return giveUp(bounds);
      visited[number] = 1;
      if (head.kind === kinds.tableInterior) return walkTable(bytes, head, bounds, depth);
      if (head.kind === kinds.indexInterior) {
        for (const at of head.cells) {
          walk(bytes.readUInt32BE(at), bounds, depth + 1);
          take(() => ({ rowid: 0, values: reader.indexRecord(bytes, at + 4) }), bounds);
        }
        return walk(head.rightmost, bounds, depth + 1);
      }
      const rowOf = head.kind === kinds.tableLeaf ? reader.tableRow : reader.indexRow;
      for (const at of head.cells) take(() => rowOf(bytes, at), bounds);
    }

    function walkTable(bytes: Buffer, head: PageHead, bounds: RowidRange, depth: number): void {
      let { first } = bounds;
      for (const at of head.cells) {
        const last = keyAt(bytes, at + 4);
        if (last === undefined) return giveUp({ first, last: bounds.last });
        walk(bytes.readUInt32BE(at), { first, last: Math.min(last, bounds.last) }, depth + 1);
        first = Math.max(first, last + 1);
      }
      walk(head.rightmost, { first, last: bounds.last }, depth + 1);
    }

    function take(decode: () => SqliteRow, bounds: RowidRange): void {
      let row: SqliteRow;
      try {
        row = decode();
      } catch (error) {
        if (!isDecodingError(error)) throw error;
        report.unreadableRows += 1;
        report.lostRanges.push(bounds);
        return;
      }
      onRow(row);
    }

    walk(root, { first: 1, last: Number.MAX_SAFE_INTEGER }, 0);
    return report;
  }

  return {
    read,
    *unreached(which) {
      const free = which === 'all' ? new Set<number>() : pages.freePages();
      if (!free) return;
      for (let number = 2; number <= pages.pageCount; number += 1) {
        if (visited[number] === 1 || free.has(number)) continue;
        const head = headOf(number);
        const bytes = head?.kind === kinds.tableLeaf ? pages.page(number) : undefined;
        if (!head || !bytes) continue;
        yield head.cells.flatMap((at) => {
          try {
            return [reader.tableRow(bytes, at)];
          } catch (error) {
            if (isDecodingError(error)) return [];
            throw error;
          }
        });
      }
    },
  };
}

function isTableKind(kind: number | undefined): boolean {
  return kind === kinds.tableInterior || kind === kinds.tableLeaf;
}

function keyAt(bytes: Buffer, at: number): number | undefined {
  try {
    return varint(bytes, at)[0];
  } catch (error) {
    if (isDecodingError(error)) return undefined;
    throw error;
  }
}

/** Errors caused by random bytes: impossible lengths, offsets beyond the page, text that is not UTF-8. */
function isDecodingError(error: unknown): boolean {
  return error instanceof DamagedRecord || error instanceof RangeError || error instanceof TypeError;
}

/** Returns undefined if the page does not belong to a B-tree. */
function readHead(bytes: Buffer, at: number, usable: number): PageHead | undefined {
  const kind = bytes.readUInt8(at);
  const isInterior = kind === kinds.indexInterior || kind === kinds.tableInterior;
  if (!isInterior && kind !== kinds.indexLeaf && kind !== kinds.tableLeaf) return undefined;
  const count = bytes.readUInt16BE(at + 3);
  const pointers = at + (isInterior ? 12 : 8);
  if (pointers + count * 2 > usable) return undefined;
  const cells = Array.from({ length: count }, (_, index) => bytes.readUInt16BE(pointers + index * 2));
  if (cells.some((cell) => cell < pointers + count * 2 || cell > usable - 4)) return undefined;
  return { kind, cells, rightmost: isInterior ? bytes.readUInt32BE(at + 8) : 0 };
}

function createRecordReader(pages: SqlitePages) {
  const { usable } = pages;
  const minLocal = Math.floor(((usable - 12) * 32) / 255) - 23;
  const maxInTable = usable - 35;
  const maxInIndex = Math.floor(((usable - 12) * 64) / 255) - 23;

  function payload(bytes: Buffer, at: number, length: number, max: number): Buffer {
    if (length <= max) return slice(bytes, at, at + length, usable);
    const preferred = minLocal + ((length - minLocal) % (usable - 4));
    const local = preferred <= max ? preferred : minLocal;
    // A wrong length must not allocate more memory than the file could fill.
    if (length > pages.pageCount * usable) throw new DamagedRecord('a length greater than the size of the file');
    const parts = [slice(bytes, at, at + local, usable)];
    let next = bytes.readUInt32BE(at + local);
    for (let rest = length - local; rest > 0;) {
      const overflow = next >= 2 && next <= pages.pageCount ? pages.page(next) : undefined;
      if (!overflow) throw new DamagedRecord('a missing overflow page');
      const part = overflow.subarray(4, Math.min(4 + rest, usable));
      parts.push(part);
      rest -= part.length;
      next = overflow.readUInt32BE(0);
    }
    // Detects an overwritten page: the last one of a chain must not point to another.
    if (next !== 0) throw new DamagedRecord('an overflow chain that does not end');
    return Buffer.concat(parts);
  }

  function tableRow(bytes: Buffer, at: number): SqliteRow {
    const [length, afterLength] = varint(bytes, at);
    const [rowid, afterRowid] = varint(bytes, afterLength);
    return { rowid, values: decodeRecord(payload(bytes, afterRowid, length, maxInTable)) };
  }

  function indexRecord(bytes: Buffer, at: number): SqliteValue[] {
    const [length, afterLength] = varint(bytes, at);
    return decodeRecord(payload(bytes, afterLength, length, maxInIndex));
  }

  return {
    tableRow,
    indexRecord,
    indexRow: (bytes: Buffer, at: number) => ({ rowid: 0, values: indexRecord(bytes, at) }),
  };
}

function slice(bytes: Buffer, from: number, to: number, limit: number): Buffer {
  if (to > limit) throw new DamagedRecord('a record past the end of its page');
  return bytes.subarray(from, to);
}

/** https://www.sqlite.org/fileformat2.html#record_format */
function decodeRecord(record: Buffer): SqliteValue[] {
  const [headerLength, afterLength] = varint(record, 0);
  if (headerLength > record.length || headerLength < afterLength)
    throw new DamagedRecord('a record without its header');
  const values: SqliteValue[] = [];
  let value = headerLength;
  for (let at = afterLength; at < headerLength;) {
    const [type, next] = varint(record, at);
    at = next;
    const length = lengthOf(type);
    values.push(decodeValue(type, slice(record, value, value + length, record.length)));
    value += length;
  }
  if (value !== record.length) throw new DamagedRecord('a record whose length does not match its columns');
  return values;
}

const integerLengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  const length = integerLengths[type];
  if (length === undefined) throw new DamagedRecord('a reserved type');
  return length;
}

function decodeValue(type: number, bytes: Buffer): SqliteValue {
  if (type === 0) return null;
  if (type === 8) return 0;
  if (type === 9) return 1;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 6) return safeInteger(bytes.readBigInt64BE(0));
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  return type % 2 === 0 ? bytes : utf8.decode(bytes);
}

function safeInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Returns the value and the position after it. Throws a RangeError beyond the end. */
function varint(bytes: Buffer, at: number): [number, number] {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes.readUInt8(at + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 128) return [value, at + index + 1];
  }
  // Nine bytes: negative or above 2^56. Rainbell has no such rowid, and no such length is possible.
  throw new DamagedRecord('a number out of range');
}
