// The tracks of the timeline: their heights, worked out by hand, and which of them a short one drops.
import { describe, expect, it } from 'vitest';
import { timelineLayout } from '#renderer/features/forecast/timeline/timeline-layout.ts';
import { pointsOf, start, timed } from './forecast-points.ts';

const layers = (...names: string[]) => new Set(names);

describe('the tracks of the timeline', () => {
  const measured = { temperature: 280, humidity: 50, pressure: 1_000, wind_speed: 1 };
  const all = timed(
    pointsOf(start, ['sunny', 'sunny'], (point, index) => ({ ...point, measured, sources: [`s${index}`] })),
  ).points;
  const everything = layers('temperature', 'humidity', 'pressure', 'precipitation', 'wind');

  it('share the height by their weights', () => {
    // 700 − (34 + 22 + 6) − 22 − 5 × 24 = 496, shared by 46, 20, 20, 29, and 25 of 140.
    expect(timelineLayout(all, { height: 700.9, shown: everything })).toEqual({
      icons: { top: 0, height: 34 },
      band: { top: 34, height: 22 },
      plots: {
        temperature: { top: 80, height: 162 },
        humidity: { top: 266, height: 70 },
        pressure: { top: 360, height: 70 },
        rain: { top: 454, height: 102 },
        wind: { top: 580, height: 88 },
      },
      axis: { top: 674, height: 22 },
      height: 696,
    });
  });

  const tracks = (height: number, shown = everything, of = all) =>
    Object.keys(timelineLayout(of, { height, shown }).plots);

  it('are dropped one after the other when the height gets short', () => {
    // 84 + 5 × (24 + 34) = 374; then four, and three tracks.
    expect(tracks(374)).toEqual(['temperature', 'humidity', 'pressure', 'rain', 'wind']);
    expect(tracks(373)).toEqual(['temperature', 'humidity', 'pressure', 'rain']);
    expect(tracks(316)).toContain('pressure');
    expect(tracks(315)).toEqual(['temperature', 'humidity', 'rain']);
    expect(tracks(258)).toContain('humidity');
    expect(tracks(257)).toEqual(['temperature', 'rain']);
    expect(timelineLayout(all, { height: 10, shown: everything })).toEqual(
      timelineLayout(all, { height: 240, shown: everything }),
    );
    expect(tracks(240, layers('wind'))).toEqual(['wind']);
    expect(tracks(560, layers())).toEqual([]);
  });

  it('are those that are selected and were sent', () => {
    for (const name of ['temperature', 'humidity', 'pressure', 'wind'])
      expect(tracks(700, layers(name))).toEqual([name]);
    const bare = timed(pointsOf(start, ['sunny'])).points;
    expect(tracks(700, everything, bare)).toEqual(['rain']);
  });
});
