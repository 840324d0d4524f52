// The mathematics of the offline map, by property.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { fitting, movedByKey, settled, toPixels, toPlace, visibleCopies, zoomed } from '#renderer/ui/map/map-view.ts';

const size = { width: 800, height: 400 };
const place = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});
const side = fc.integer({ min: 200, max: 1800 });
const windowSize = fc.record({ width: side, height: side });
const view = fc.record({ center: place, zoom: fc.double({ min: 1, max: 96, noNaN: true }) });

describe('the map’s window', () => {
  it('gives the place under a pixel back, also across the antimeridian', () => {
    fc.assert(
      fc.property(view, fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 400 }), (asked, x, y) => {
        const shown = settled(asked, size);
        const there = toPlace(x, y, shown, size);
        expect(Math.abs(there.lat)).toBeLessThanOrEqual(90);
        expect(Math.abs(there.lng)).toBeLessThanOrEqual(180);
        const back = toPixels(there, shown, size);
        // At zoom 1 both edges are the same meridian.
        const gap = Math.abs(back.x - x);
        const turn = (360 / 360) * size.width * shown.zoom;
        expect(Math.min(gap, Math.abs(gap - turn))).toBeLessThan(2.1);
        expect(Math.abs(back.y - y)).toBeLessThan(2.1);
      }),
    );
  });

  it('never shows anything beyond a pole, and draws each world that it touches', () => {
    fc.assert(
      fc.property(view, fc.double({ min: 0.1, max: 10, noNaN: true }), (asked, factor) => {
        const shown = zoomed(settled(asked, size), size, factor, 100, 100);
        expect(toPlace(400, 0, shown, size).lat).toBeLessThanOrEqual(90);
        expect(Math.abs(shown.center.lat) + 90 / shown.zoom).toBeLessThanOrEqual(90.000001);
        expect(visibleCopies(shown, size).length).toBeLessThanOrEqual(2);
      }),
    );
    expect(visibleCopies({ center: { lat: 0, lng: 179 }, zoom: 8 }, size)).toEqual([0, 360]);
  });

  it('fits to places wherever they are', () => {
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 20 }), windowSize, (places, window) => {
        const shown = fitting(places, window);
        expect(shown.zoom).toBeLessThanOrEqual(8);
        for (const one of places) {
          const { x, y } = toPixels(one, shown, window);
          expect(Math.min(x, window.width - x, y, window.height - y)).toBeGreaterThanOrEqual(-1e-6);
        }
      }),
    );
    expect(fitting([{ lat: 45, lng: 7 }], size)).toEqual({ center: { lat: 45, lng: 7 }, zoom: 8 });
    const fiji = fitting(
      [
        { lat: -18, lng: 178 },
        { lat: -14, lng: -172 },
      ],
      size,
    );
    expect(fiji).toEqual({ center: { lat: -16, lng: -177 }, zoom: 8 });
    const whole = fitting(
      [
        { lat: 60, lng: -120 },
        { lat: 0, lng: 0 },
        { lat: -30, lng: 120 },
      ],
      size,
    );
    expect(whole.center).toEqual({ lat: 15, lng: 0 });
  });

  it('arrows step over the antimeridian and stop at the poles', () => {
    const key = (name: string, shiftKey = false) => ({ key: name, shiftKey, altKey: false });
    expect(movedByKey(key('ArrowRight'), { lat: 0, lng: 180 })).toEqual({ lat: 0, lng: -179.9 });
    expect(movedByKey(key('ArrowUp', true), { lat: 89.5, lng: 5 })).toEqual({ lat: 90, lng: 5 });
    expect(movedByKey(key('Enter'), { lat: 0, lng: 0 })).toBeUndefined();
  });
});
