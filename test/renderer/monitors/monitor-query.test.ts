// The filter of the monitors: what its terms find.
import { describe, expect, test } from 'vitest';
import {
  matchesMonitor,
  parseMonitorQuery,
  type SearchedMonitor,
  termText,
  toggleTerm,
} from '#renderer/features/monitors/common/monitor-query.ts';

const bergen: SearchedMonitor = {
  text: 'bergen harbor precipitation_2 port north pier https://ops.example.net/rain bergen, norway 60.39, 5.32',
  name: 'bergen harbor',
  tags: ['port', 'north pier', 'eu-1'],
  place: 'bergen, norway 60.39, 5.32',
  condition: 'failing',
  hasFired: true,
  isDeleting: false,
  callbackUri: 'https://ops.example.net/rain',
  callbackKind: 'elsewhere',
};
const finds = (query: string, monitor = bergen) => matchesMonitor(parseMonitorQuery(query), monitor);

describe('a filter finds', () => {
  test.each([
    '',
    'harbor',
    'harbor 5.32',
    '"bergen harbor"',
    'tag:port',
    'TAG:Port',
    'tag:"north pier"',
    'tag:eu*',
    'place:norway',
    'place:60.39',
    'state:failing',
    'callback:example.net/rain',
    'callback:elsewhere',
    '-tag:test -state:off',
    'https://ops.example.net/rain',
    'name:harbor tag:port state:failing',
  ])('a monitor by “%s”', (query) => expect(finds(query)).toBe(true));

  test.each([
    'oslo',
    '"harbor bergen"',
    'tag:por',
    'tag:pier',
    'place:harbor',
    'state:ready',
    'state:never',
    'state:deleting',
    'callback:this-app',
    'callback:old-app',
    '-tag:port',
    'name:norway',
  ])('nothing by “%s”', (query) => expect(finds(query)).toBe(false));

  test('this app’s monitors by its present URL and by an earlier one', () => {
    expect(finds('callback:this-app', { ...bergen, callbackKind: 'this-app' })).toBe(true);
    expect(finds('callback:old-app', { ...bergen, callbackKind: 'old-app' })).toBe(true);
  });
});

test('a term is added once and removed again, whatever else the query has', () => {
  const term = termText('tag', 'north pier');
  expect(term).toBe('tag:"north pier"');
  expect(toggleTerm('rain tag:a', term)).toBe('rain tag:a tag:"north pier"');
  expect(toggleTerm('rain tag:"north pier" tag:a', term)).toBe('rain tag:a');
});

describe('the filter of monitors', () => {
  const base: SearchedMonitor = {
    text: 'a b',
    name: 'a',
    tags: [],
    place: '',
    condition: 'ready',
    hasFired: false,
    isDeleting: false,
    callbackUri: null,
    callbackKind: 'none',
  };

  test('by “callback:none” has none with a URL', () => {
    expect(finds('callback:none', bergen)).toBe(false);
  });

  test.each<[string, Partial<SearchedMonitor>]>([
    ['state:never', {}],
    ['state:deleting', { isDeleting: true }],
    ['callback:none', {}],
    ['state:ready', {}],
    ['state:cool-down', { condition: 'cool-down' }],
  ])('%s finds %j', (query, part) => {
    expect(finds(query, { ...base, ...part })).toBe(true);
  });

  test('is split at spaces outside of quotes, and has at most 50 terms', () => {
    const term = (value: string, key: string | null = null, isExcluded = false) => ({ key, value, isExcluded });
    expect(parseMonitorQuery('Rain  TAG:"North Pier" -name:"x" "" https://a.example/ other:y "open end')).toEqual([
      term('rain'),
      term('north pier', 'tag'),
      term('x', 'name', true),
      term('https://a.example/'),
      term('other:y'),
      term('open end'),
    ]);
    expect(parseMonitorQuery('a '.repeat(60))).toHaveLength(50);
  });
});
