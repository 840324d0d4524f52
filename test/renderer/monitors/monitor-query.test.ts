// The filter of the monitors: what its terms find.
import { expect, test } from 'vitest';
import {
  matchesMonitor,
  parseMonitorQuery,
  type SearchedMonitor,
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

test.each<[query: string, isFound: boolean, part?: Partial<SearchedMonitor>]>([
  ['', true],
  ['harbor', true],
  ['harbor 5.32', true],
  ['oslo', false],
  ['failing', true],
  ['"bergen harbor"', true],
  ['"harbor bergen"', false],
  ['https://ops.example.net/rain', true],
  ['name:norway', false],
  ['TAG:Port', true],
  ['tag:"north pier"', true],
  ['tag:eu*', true],
  ['tag:por', false],
  ['tag:pier', false],
  ['place:norway', true],
  ['place:60.39', true],
  ['place:harbor', false],
  ['name:harbor tag:port state:failing', true],
  ['-tag:test -state:off', true],
  ['-tag:port', false],
  ['state:ready', false],
  ['state:ready', true, { condition: 'ready' }],
  ['state:cool-down', true, { condition: 'cool-down' }],
  ['state:never', false],
  ['state:never', true, { hasFired: false }],
  ['state:deleting', false],
  ['state:deleting', true, { isDeleting: true }],
  ['callback:example.net/rain', true],
  ['callback:elsewhere', true],
  ['callback:this-app', false],
  ['callback:this-app', true, { callbackKind: 'this-app' }],
  ['callback:old-app', true, { callbackKind: 'old-app' }],
  ['callback:none', false],
  ['callback:none', true, { callbackUri: null, callbackKind: 'none' }],
])('“%s” finds Bergen: %s %j', (query, isFound, part = {}) => {
  expect(matchesMonitor(parseMonitorQuery(query), { ...bergen, ...part })).toBe(isFound);
});

test('a filter is split at spaces outside of quotes, and has at most 50 terms', () => {
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
