// What a notice of new callbacks says. Its parts are compared, not its sentences.
import { expect, test } from 'vitest';
import { noticeText } from '#core/callbacks/callback-notifier.ts';
import { storedCallback } from './stored-callback.ts';

const rows = (...ids: (string | null)[]) => ids.map((monitorId) => storedCallback({ monitorId }));
const geo = { lat: 45.067, lng: -7.1 };

test.each([
  ['the place', { status: 'dry', place: 'Torino' }, geo, 'near Torino'],
  ['coordinates without a place', { status: 'dry', place: undefined }, geo, 'near 45.07, -7.10'],
  ['coordinates without weather', undefined, geo, 'near 45.07, -7.10'],
  ['neither', undefined, undefined, 'near a monitored location'],
])('names %s', (_, weather, where, text) => {
  const { title, body } = noticeText(rows('precipitation_1'), where, weather);
  expect(title).toBe(`Precipitation ${text}`);
  expect(body).toBe(`Monitor: precipitation_1.${weather ? ' Now: dry.' : ''}`);
});

test('does not report precipitation for a test event', () => {
  const weather = { status: 'sunny', place: 'Turin' };
  expect(noticeText(rows('precipitation_1'), geo, weather, 'tests')).toEqual({
    title: 'Test event near Turin',
    body: 'Monitor: precipitation_1. Now: sunny.',
  });
});

test('lists each monitor once, at most three', () => {
  const bodyOf = (...ids: (string | null)[]) => noticeText(rows(...ids), geo, undefined).body;
  expect(bodyOf('a', 'a')).toBe('Monitor: a.');
  expect(bodyOf('a', 'b', 'a')).toBe('Monitors: a, b.');
  expect(bodyOf('a', 'b', 'c', 'd')).toBe('Monitors: a, b, c and 1 more.');
  expect(bodyOf(null)).toBe('Monitor: .');
});

test('counts callbacks, but not the monitors of a front, which grows', () => {
  const two = rows('a', 'a', 'b');
  expect(noticeText(two, geo, undefined).title).toMatch(/^3 callbacks\b.* near 45\.07, -7\.10$/);
  const front = noticeText(two, geo, undefined, 'front');
  expect(front.title).toBe('Rain front near 45.07, -7.10');
  expect(front.body).toMatch(/^Monitors: a, b so far\. .*notified/);
});

test.each([
  [499, '499'],
  [500, '500 or more'],
])('with %i callbacks', (count, callbacks) => {
  const many = rows(...Array.from({ length: count }, (_, index) => `m${index}`));
  expect(noticeText(many, geo, undefined).title).toMatch(new RegExp(`^${callbacks} callbacks`));
});

test('shows hidden characters of sender and service as escapes, and is short', () => {
  const many = rows(`evil\u202Etxt${'x'.repeat(500)}`);
  const { title, body } = noticeText(many, undefined, { status: 'rainy\u200B', place: 'To\u2066rino' });
  expect(title).toBe(String.raw`Precipitation near To\u2066rino`);
  expect(body).toMatch(/^Monitor: evil\\u202Etxtx{50,60}…\. Now: rainy\\u200B\.$/);
});
