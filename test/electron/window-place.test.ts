// Where a window opens: the stored place if it can still be seen, on displays that were added, removed, or shrank.
import { describe, expect, it } from 'vitest';
import { fitToDisplays, readWindowPlace, type WindowPlace } from '#electron/screens/window-place.ts';

const first = { x: 0, y: 25, width: 1440, height: 875 };
const second = { x: 1440, y: 0, width: 1920, height: 1080 };
const placeAt = (x: number, y: number, width = 800, height = 600): WindowPlace => ({
  bounds: { x, y, width, height },
  isMaximized: false,
  zoomFactor: 1,
});

describe('a stored place', () => {
  it('is read back with its zoom', () => {
    const place = { bounds: { x: -5, y: 0, width: 640, height: 400 }, isMaximized: true, zoomFactor: 1.5 };
    expect(readWindowPlace(JSON.parse(JSON.stringify(place)))).toEqual(place);
  });

  it.each([
    ['nothing', undefined],
    ['bounds without a width', { ...placeAt(0, 0), bounds: { x: 0, y: 0, height: 5 } }],
    ['a zoom below 0.25', { ...placeAt(0, 0), zoomFactor: 0.24 }],
    ['a zoom above 5', { ...placeAt(0, 0), zoomFactor: 5.01 }],
  ])('is ignored if it is %s', (_what, saved) => {
    expect(readWindowPlace(saved)).toBeUndefined();
  });

  it.each([0.25, 5])('may have the zoom %d', (zoomFactor) => {
    expect(readWindowPlace({ ...placeAt(0, 0), zoomFactor })?.zoomFactor).toBe(zoomFactor);
  });
});

describe('a window', () => {
  it('without a stored place has the default size, or that of a smaller display', () => {
    const rest = { isMaximized: false, zoomFactor: 1 };
    expect(fitToDisplays(undefined, [first, second])).toEqual({ bounds: { width: 1280, height: 860 }, ...rest });
    const small = { x: 0, y: 0, width: 1024, height: 700 };
    expect(fitToDisplays(undefined, [small])).toEqual({ bounds: { width: 1024, height: 700 }, ...rest });
    expect(fitToDisplays(undefined, [])).toEqual({ bounds: { width: 1280, height: 860 }, ...rest });
  });

  it('keeps its place, its zoom, and whether it was maximized', () => {
    const saved = { ...placeAt(1500, 100), isMaximized: true, zoomFactor: 2 };
    expect(fitToDisplays(saved, [first, second])).toEqual(saved);
  });

  it.each([
    ['over the left edge', placeAt(-300, 100), { x: 0, y: 100 }],
    ['over the right edge', placeAt(1200, 100), { x: 640, y: 100 }],
    ['over the top', placeAt(100, -50), { x: 100, y: 25 }],
    ['over the bottom', placeAt(100, 700), { x: 100, y: 300 }],
    ['with fractions', placeAt(10.4, 30.6), { x: 10, y: 31 }],
  ])('%s moves into view', (_where, saved, { x, y }) => {
    expect(fitToDisplays(saved, [first]).bounds).toEqual({ x, y, width: 800, height: 600 });
  });

  it('that is larger than its display shrinks, but not below the minimum', () => {
    expect(fitToDisplays(placeAt(0, 25, 3000, 2000), [first]).bounds).toEqual(first);
    const tiny = { x: 0, y: 0, width: 500, height: 300 };
    expect(fitToDisplays(placeAt(0, 0), [tiny]).bounds).toMatchObject({ width: 640, height: 400 });
    expect(fitToDisplays(placeAt(0, 25, 100, 100), [first]).bounds).toMatchObject({ width: 640, height: 400 });
  });

  it.each([
    // 80 px of the window are on the first display, then 79.
    ['on the left', placeAt(-720, 100), placeAt(-721, 100)],
    ['on the right', placeAt(1360, 100), placeAt(1361, 100)],
    ['above', placeAt(100, -495), placeAt(100, -496)],
    ['below', placeAt(100, 820), placeAt(100, 821)],
  ])('of which fewer than 80 px are %s keeps only its size', (_where, inSight, outOfSight) => {
    expect(fitToDisplays(inSight, [first]).bounds).toHaveProperty('x');
    expect(fitToDisplays(outOfSight, [first]).bounds).toEqual({ width: 800, height: 600 });
  });
});
