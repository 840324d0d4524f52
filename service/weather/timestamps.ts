// Remembers how instants are written: forecasts of all places share their hours.
import { LRUCache } from 'lru-cache';
import { formatTimestamp } from '#contract/timestamp.ts';

const rememberedInstants = 1_000;

export function createTimestamps(): (instant: number) => string {
  const remembered = new LRUCache<number, string>({ max: rememberedInstants });
  return (instant) => {
    let text = remembered.get(instant);
    if (text === undefined) {
      text = formatTimestamp(instant);
      remembered.set(instant, text);
    }
    return text;
  };
}
