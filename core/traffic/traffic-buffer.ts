// Buffers exchanges until they are on disk, oldest first: briefly, or for as long as the database is locked or its disk is full.
// Bounded: the oldest are discarded.
import type { NumberedRecord } from './traffic-filter.ts';

const maxEntries = 500;
const maxBytes = 16 * 1024 * 1024;

export function createTrafficBuffer() {
  let records: NumberedRecord[] = [];
  let bytes = 0;

  return {
    all: (): readonly NumberedRecord[] => records,
    /** Returns what had to go for it. */
    add(record: NumberedRecord): NumberedRecord[] {
      records.push(record);
      bytes += record.storedBytes;
      const dropped: NumberedRecord[] = [];
      while (records.length > maxEntries || (bytes > maxBytes && records.length > 1)) {
        const oldest = records.shift();
        if (!oldest) break;
        bytes -= oldest.storedBytes;
        dropped.push(oldest);
      }
      return dropped;
    },
    empty() {
      records = [];
      bytes = 0;
    },
  };
}
