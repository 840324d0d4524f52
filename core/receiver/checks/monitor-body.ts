// The Monitor that a body is (docs/interface.md §2.2), or that the event in it is about (docs/events.md).
import { isJsonObject } from '@rainbell/shared';

/** A Monitor with the longest callback address, or an event about it, is far below it; a longer body is not parsed at all. */
export const maxMonitorBytes = 64 * 1024;

export function monitorOfBody(value: unknown): Record<string, unknown> | undefined {
  const { type, data } = objectOf(value) ?? {};
  const isEvent = typeof type === 'string' && type.startsWith('precipitation.');
  return isEvent ? objectOf(objectOf(data)?.['monitor']) : objectOf(value);
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
