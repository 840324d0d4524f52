// Reads headers and URLs of responses.
import type { HeaderList } from '@rainbell/contract/app-rpc';

/** The first value of a header; names are compared without case. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key.length === name.length && key.toLowerCase() === name)?.[1];
}

/** Host and port, as messages name a service. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** Names and values that alternate, as pairs. */
export function pairsOf(flat: readonly string[]): HeaderList {
  const pairs: HeaderList = [];
  for (let index = 0; index + 1 < flat.length; index += 2) pairs.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return pairs;
}
