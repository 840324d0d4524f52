// The names of the largest towns in view, as many as don't touch each other.
import { memo, useEffect, useState } from 'react';
import { boxOf, type MapSize, type MapView, toPixels } from './map-view.ts';
import classes from './OfflineMap.module.css';

export type NamedPlace = { name: string; lat: number; lng: number };
/** The largest first; keep it stable between renders. */
export type LoadNames = (box: ReturnType<typeof boxOf>) => Promise<readonly NamedPlace[]>;

type Props = { view: MapView; size: MapSize; load: LoadNames };

/** Names are requested when the map has been still for this time. */
const restMs = 150;
const letterPixels = 7;
const heightPixels = 18;

export const PlaceNames = memo(function PlaceNames({ view, size, load }: Readonly<Props>) {
  const [places, setPlaces] = useState<readonly NamedPlace[]>([]);
  const { south, west, north, east } = boxOf(view, size);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      void load({ south, west, north, east }).then((found) => isCurrent && setPlaces(found));
    }, restMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [load, south, west, north, east]);
  return (
    <svg className={classes.cross} width={size.width} height={size.height} aria-hidden focusable="false">
      {placed(places, view, size).map(({ name, x, y }) => (
        <g key={`${name} ${x}`} transform={`translate(${x} ${y})`}>
          <circle fill="var(--rb-dim)" r={2} />
          <text className={classes.townName} x={6} y={4}>
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
});

type Placed = { name: string; x: number; y: number; end: number };

function placed(places: readonly NamedPlace[], view: MapView, size: MapSize): readonly Placed[] {
  return places.reduce<Placed[]>((all, { name, lat, lng }) => {
    const { x, y } = toPixels({ lat, lng }, view, size);
    const end = x + 6 + name.length * letterPixels;
    const isFree = all.every((one) => end < one.x || one.end < x || Math.abs(one.y - y) > heightPixels);
    return isFree && end < size.width && x > 0 && y > heightPixels && y < size.height
      ? [...all, { name, x, y, end }]
      : all;
  }, []);
}
