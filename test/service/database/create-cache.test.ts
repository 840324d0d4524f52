import { describe, expect, it } from 'vitest';
import { createCache } from '#service/cache/create-cache.ts';

describe('createCache', () => {
  it('drops the least recently used entry beyond the limit', () => {
    const cache = createCache<string, number>(2);
    cache.set('a', 1).set('b', 2);
    cache.get('a');
    cache.set('a', 3).set('c', 4);
    expect(Object.fromEntries(cache.entries())).toEqual({ a: 3, c: 4 });
  });

  it('reserves no room for entries that it may have later', () => {
    // More than an array can have.
    expect(createCache<string, number>(2 ** 33).set('a', 1).size).toBe(1);
  });
});
