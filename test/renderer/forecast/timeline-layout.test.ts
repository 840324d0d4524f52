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
  const everything = layers('temperature', 'humidity', 'pressure', 'precipitation', 'wind', 'monitors');

  it('share the height by their weights', () => {
    // 700 − (40 + 34 + 22 + 6) − (28 + 14 + 14 + 22) − 5 × 24 = 400, shared by 46, 20, 20, 29, and 25 of 140.
    expect(timelineLayout(all, { height: 700.9, shown: everything })).toEqual({
      days: { top: 0, height: 40 },
      icons: { top: 40, height: 34 },
      band: { top: 74, height: 22 },
      temperature: { top: 120, height: 131 },
      humidity: { top: 275, height: 57 },
      pressure: { top: 356, height: 57 },
      rain: { top: 437, height: 82 },
      wind: { top: 543, height: 71 },
      sources: { top: 620, height: 28 },
      points: { top: 648, height: 14 },
      monitors: { top: 662, height: 14 },
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
    const full = ['temperature', 'humidity', 'pressure', 'rain', 'wind', 'sources', 'points', 'monitors'];
    // 102 + 78 + 5 × (24 + 34) = 470.
    expect(tracks(470)).toEqual(full);
    expect(tracks(469)).toEqual(full.filter((name) => name !== 'sources' && name !== 'points'));
    // Without lanes 102 + 36 + 5 × 58 = 428; then four, and three tracks.
    expect(tracks(428)).toContain('wind');
    expect(tracks(427)).toEqual(['temperature', 'humidity', 'pressure', 'rain', 'monitors']);
    expect(tracks(370)).toContain('pressure');
    expect(tracks(369)).toEqual(['temperature', 'humidity', 'rain', 'monitors']);
    expect(tracks(312)).toContain('humidity');
    expect(tracks(311)).toEqual(['temperature', 'rain', 'monitors']);
    expect(timelineLayout(all, { height: 10, shown: everything })).toEqual(
      timelineLayout(all, { height: 240, shown: everything }),
    );
    expect(timelineLayout(all, { height: 240, shown: layers('wind') }).wind).not.toBeNull();
    expect(timelineLayout(all, { shown: layers() })).toMatchObject({ rain: { height: 0 }, temperature: null });
  });

  it('are those that are selected and were sent', () => {
    for (const name of ['temperature', 'humidity', 'pressure', 'wind', 'monitors'])
      expect(tracks(700, layers(name))).toEqual(
        ['temperature', 'humidity', 'pressure', 'wind'].includes(name)
          ? [name, 'sources', 'points']
          : ['sources', 'points', name],
      );
    const bare = timed(pointsOf(start, ['sunny'])).points;
    expect(tracks(700, everything, bare)).toEqual(['rain', 'sources', 'points', 'monitors']);
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
