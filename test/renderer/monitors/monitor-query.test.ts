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
  frontIds: ['front-1'],
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
    'front:front-1',
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
    'front:front-2',
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
