// The tracks of the timeline: their heights, worked out by hand, and which of them a short one drops.
import { describe, expect, it } from 'vitest';
import { timelineLayout } from '#renderer/features/forecast/timeline/timeline-layout.ts';
import { pointsOf, start, timed } from './forecast-points.ts';

const layers = (...names: string[]) =>
  new Set(names) as NonNullable<Parameters<typeof timelineLayout>[1]>['shown'] & Set<never>;

describe('the tracks of the timeline', () => {
  const measured = { temperature: 280, humidity: 50, pressure: 1_000, wind_speed: 1 };
  const all = timed(
    pointsOf(start, ['sunny', 'sunny'], (point, index) => ({ ...point, measured, sources: [`s${index}`] })),
  ).points;
  const everything = layers('temperature', 'humidity', 'pressure', 'precipitation', 'wind');

  it('share the height by their weights', () => {
    // 700 − (40 + 34 + 22 + 6) − (28 + 14 + 22) − 5 × 24 = 414, shared by 46, 20, 20, 29, and 25 of 140.
    expect(timelineLayout(all, { height: 700.9, shown: everything })).toEqual({
      days: { top: 0, height: 40 },
      icons: { top: 40, height: 34 },
      band: { top: 74, height: 22 },
      temperature: { top: 120, height: 136 },
      humidity: { top: 280, height: 59 },
      pressure: { top: 363, height: 59 },
      rain: { top: 446, height: 85 },
      wind: { top: 555, height: 73 },
      sources: { top: 634, height: 28 },
      points: { top: 662, height: 14 },
      axis: { top: 676, height: 22 },
      height: 698,
      lanes: ['s0', 's1'].map((name) => ({ name, sources: new Set([name]) })),
    });
  });

  const tracks = (height: number, shown = everything, of = all) =>
    Object.entries(timelineLayout(of, { height, shown }))
      .filter(([, box]) => typeof box === 'object' && box !== null && 'top' in box && box.height > 0)
      .map(([name]) => name)
      .filter((name) => !['days', 'icons', 'band', 'axis'].includes(name));

  it('are dropped one after the other when the height gets short', () => {
    const full = ['temperature', 'humidity', 'pressure', 'rain', 'wind', 'sources', 'points'];
    // 102 + 64 + 5 × (24 + 34) = 456.
    expect(tracks(456)).toEqual(full);
    expect(tracks(455)).toEqual(full.filter((name) => name !== 'sources' && name !== 'points'));
    // Without lanes 102 + 22 + 5 × 58 = 414; then four, and three tracks.
    expect(tracks(414)).toContain('wind');
    expect(tracks(413)).toEqual(['temperature', 'humidity', 'pressure', 'rain']);
    expect(tracks(356)).toContain('pressure');
    expect(tracks(355)).toEqual(['temperature', 'humidity', 'rain']);
    expect(tracks(298)).toContain('humidity');
    expect(tracks(297)).toEqual(['temperature', 'rain']);
    expect(timelineLayout(all, { height: 10, shown: everything })).toEqual(
      timelineLayout(all, { height: 240, shown: everything }),
    );
    expect(timelineLayout(all, { height: 240, shown: layers('wind') }).wind).not.toBeNull();
    expect(timelineLayout(all, { shown: layers() })).toMatchObject({ rain: { height: 0 }, temperature: null });
  });

  it('are those that are selected and were sent', () => {
    for (const name of ['temperature', 'humidity', 'pressure', 'wind'])
      expect(tracks(700, layers(name))).toEqual([name, 'sources', 'points']);
    const bare = timed(pointsOf(start, ['sunny'])).points;
    expect(tracks(700, everything, bare)).toEqual(['rain', 'sources', 'points']);
    expect(timelineLayout(all)).toEqual(
      timelineLayout(all, { height: 560, shown: layers('temperature', 'precipitation', 'wind') }),
    );
  });

  it('have a lane for each source, and from the fourth on one for the rest', () => {
    const lanes = (count: number) => {
      const sources = Array.from({ length: count }, (_, index) => `s${index}`);
      const one = timelineLayout(timed(pointsOf(start, ['sunny'], (point) => ({ ...point, sources }))).points, {
        height: 700,
      });
      return [one.sources?.height, one.lanes.map(({ name, sources: own }) => [name, [...own]])];
    };
    expect(lanes(0)).toEqual([14, []]);
    expect(lanes(3)).toEqual([42, ['s0', 's1', 's2'].map((name) => [name, [name]])]);
    expect(lanes(4)).toEqual([
      42,
      [
        ['s0', ['s0']],
        ['s1', ['s1']],
        ['2 more sources', ['s2', 's3']],
      ],
    ]);
  });
});
