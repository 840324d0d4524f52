// What a notice of new callbacks says. Its parts are compared, not its sentences.
import { describe, expect, test } from 'vitest';
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

describe('a notice', () => {
  const location = { lat: 45.074, lng: -7.6 };
  const weather = { status: 'rainy', place: 'Torino' };

  test.each([
    ['one', noticeText(rows('m1'), location, weather), /Torino$/, /m1.*rainy\.$/],
    [
      'one without a place',
      noticeText(rows('m1'), location, { ...weather, place: undefined }),
      /45\.07, -7\.60$/,
      /m1.*rainy\.$/,
    ],
    ['one without anything', noticeText(rows(null), undefined, undefined), /\S/, /\S/],
    ['several', noticeText(rows('m1', 'm2', 'm1'), location, weather), /\b3\b.*Torino$/, /m1, m2.*rainy\.$/],
    [
      'several without weather',
      noticeText(rows('m1', 'm2'), location, undefined),
      /\b2\b.*45\.07, -7\.60$/,
      /m1, m2\.$/,
    ],
    [
      'a front',
      noticeText(rows('m1', 'm2', 'm3', 'm3'), location, weather, 'front'),
      /Torino$/,
      /m1, m2(, m3|.*1).*rainy\. \S/,
    ],
    [
      'many',
      noticeText(rows(...Array.from({ length: 500 }, (_, index) => `m${index}`)), location, weather),
      /\b500\b.*Torino/,
      /m0/,
    ],
  ])('names %s', (_, { title, body }, titleForm, bodyForm) => {
    expect(title).toMatch(titleForm);
    expect(body).toMatch(bodyForm);
  });

  test('says whether there are more, of a front and otherwise', () => {
    const titleOf = (count: number, kind: 'events' | 'front') =>
      noticeText(rows(...Array.from({ length: count }, (_, index) => `m${index}`)), location, weather, kind).title;
    const shapes = [titleOf(499, 'events'), titleOf(500, 'events'), titleOf(499, 'front')].map((title) =>
      title.replaceAll(/\d+/g, '#'),
    );
    expect(new Set(shapes).size).toBe(3);
    const bodies = (['front', 'events'] as const).map(
      (kind) => noticeText(rows('a', 'b'), location, weather, kind).body,
    );
    expect(bodies[0]).not.toBe(bodies[1]);
  });
});
