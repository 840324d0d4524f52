// What is common to MET Norway's documents: the place, the steps in order, and the error for anything else.
import { describe, expect, it } from 'vitest';
import { readMetDocument } from '#service/weather/providers/met-norway/met-document.ts';
import { instant, metDocument, now, time, units } from './met-documents.ts';

const read = (body: unknown) => readMetDocument('met-norway', body);

describe('a document', () => {
  it('has a grid point, units, coverage, and steps', () => {
    const step = { time, data: instant() };
    const meta = { radar_coverage: 'ok', updated_at: '2026-11-21T05:58:00Z' };
    expect(read(metDocument([step], meta))).toEqual({
      grid: { lat: 59.9, lng: 10.7 },
      units,
      radarCoverage: 'ok',
      updatedAt: now - 120_000,
      steps: [{ ...step, at: now }],
    });
  });

  it('may have little more than its place, without minus zero', () => {
    const body = { geometry: { coordinates: [-0, -0] }, properties: { meta: {}, timeseries: [] } };
    expect(read(body)).toEqual({
      grid: { lat: 0, lng: 0 },
      units: {},
      radarCoverage: undefined,
      updatedAt: undefined,
      steps: [],
    });
  });

  it.each([['yesterday'], [7]])('has no time of its update if that is %s', (updated_at) => {
    expect(read(metDocument([], { updated_at })).updatedAt).toBeUndefined();
  });

  it('has its valid steps in ascending order', () => {
    const hour = (text: unknown, data: unknown = {}) => ({ time: text, data });
    const { steps } = read(
      metDocument([
        hour('2026-11-21T08:00:00Z'),
        hour('noon'),
        null,
        hour(7),
        hour('2026-11-21T06:00:00Z'),
        hour('2026-11-21T07:00:00Z', null),
        hour('2026-11-21T07:00:00Z', { next_1_hours: { summary: {} }, next_6_hours: null }),
      ]),
    );
    expect(steps.map((step) => step.time.slice(11, 13))).toEqual(['06', '07', '08']);
  });

  it.each([
    ['text', 'sorry', '""'],
    ['a place beyond the antimeridian', metDocument([], {}, [180.1, 0]), '"geometry.coordinates.0"'],
    ['a place beyond the pole', metDocument([], {}, [0, -90.1]), '"geometry.coordinates.1"'],
    ['no steps', { ...metDocument([]), properties: { meta: {} } }, '"properties.timeseries"'],
  ])('is not %s', (_name, body, field) => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ provider: 'met-norway', message: expect.stringContaining(`(at ${field})`) }),
    );
  });
});
