// The filter of the monitors: words that a monitor must contain, and `key:value` terms.
import type { MonitorCondition } from './delivery-status.ts';

const keys = ['name', 'tag', 'place', 'state', 'callback'] as const;
type Key = (typeof keys)[number];

export type MonitorTerm = {
  /** Null: any text of the monitor. */
  key: Key | null;
  /** Lower case. */
  value: string;
  /** Written with a minus: monitors that match are left out. */
  isExcluded: boolean;
};

/** What the terms look at; all texts in lower case. */
export type SearchedMonitor = {
  /** Everything about the monitor in one text. */
  text: string;
  name: string;
  tags: readonly string[];
  place: string;
  condition: MonitorCondition;
  hasFired: boolean;
  isDeleting: boolean;
  callbackUri: string | null;
  callbackKind: 'this-app' | 'old-app' | 'elsewhere' | 'none';
};

const maxTerms = 50;

/** Splits a filter at its spaces; quotes keep words together, also behind a colon: `tag:"north pier"`. */
export function parseMonitorQuery(text: string): readonly MonitorTerm[] {
  const terms: MonitorTerm[] = [];
  for (const [, minus = '', name, quoted, plain = ''] of text.matchAll(/(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu)) {
    const key = keys.find((known) => known === name?.toLowerCase()) ?? null;
    // A colon of another kind, as in a URL, belongs to the word.
    const value = (key === null && name !== undefined ? `${name}:` : '') + (quoted ?? plain);
    if (value === '') continue;
    terms.push({ key, value: value.toLowerCase(), isExcluded: minus === '-' });
    if (terms.length === maxTerms) break;
  }
  return terms;
}

/** Returns whether a monitor matches every term. */
export function matchesMonitor(terms: readonly MonitorTerm[], monitor: SearchedMonitor): boolean {
  return terms.every((term) => hasTerm(term, monitor) !== term.isExcluded);
}

function hasTerm({ key, value }: MonitorTerm, monitor: SearchedMonitor): boolean {
  switch (key) {
    case null:
      return monitor.text.includes(value) || monitor.condition.includes(value);
    case 'name':
      return monitor.name.includes(value);
    case 'tag':
      // A star at the end finds all that begin so.
      return monitor.tags.some((tag) => (value.endsWith('*') ? tag.startsWith(value.slice(0, -1)) : tag === value));
    case 'place':
      return monitor.place.includes(value);
    case 'state':
      return hasState(value, monitor);
    case 'callback':
      return hasCallback(value, monitor);
  }
}

function hasState(value: string, { condition, hasFired, isDeleting }: SearchedMonitor): boolean {
  if (value === 'never') return !hasFired;
  if (value === 'deleting') return isDeleting;
  return condition === value;
}

function hasCallback(value: string, { callbackKind, callbackUri }: SearchedMonitor): boolean {
  const kinds: readonly string[] = ['this-app', 'old-app', 'elsewhere', 'none'];
  return kinds.includes(value) ? callbackKind === value : (callbackUri ?? '').includes(value);
}
