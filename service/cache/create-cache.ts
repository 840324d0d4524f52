import { LRUCache } from 'lru-cache';

/**
 * Returns a cache of the `max` entries that were used last. It takes memory as it fills: with its `max` option, LRUCache
 * reserves room for all entries at once, which took a tenth of the service's start.
 */
export function createCache<Key extends {}, Value extends {}>(
  max: number,
  onEvicted?: (key: Key) => void,
): LRUCache<Key, Value> {
  return new LRUCache({
    maxSize: max,
    sizeCalculation: sizeOfEntry,
    ...(onEvicted && { dispose: (_value: Value, key: Key, reason: string) => reason === 'evict' && onEvicted(key) }),
  });
}

const sizeOfEntry = () => 1;
