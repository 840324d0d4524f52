// What the map draws, from the ground up: sea, land, borders, markers, cross-hair. All is in degrees under one
// viewBox, so that panning and zooming change two attributes and redraw nothing in React.
import { memo, useEffect, useState } from 'react';
import type { LatLng } from '@rainbell/contract/service-api';
import { boxOf, degreesPerPixel, type MapSize, type MapView, toPixels, visibleCopies } from './map-view.ts';
import classes from './OfflineMap.module.css';
import type { WorldOutline } from './world-outline.ts';

export type MapMarker = {
  id: string;
  lat: number;
  lng: number;
  /** Name and state, as text. */
  label: string;
  color: string;
  isChosen?: boolean;
};

type Props = {
  view: MapView;
  size: MapSize;
  crosshair: LatLng;
  markers: readonly MapMarker[];
  loadNames: LoadNames | undefined;
};

export function MapLayers({ view, size, crosshair, markers, loadNames }: Readonly<Props>) {
  const { outline, failure } = useOutline();
  const degrees = degreesPerPixel(view, size);
  const left = view.center.lng - (degrees * size.width) / 2;
  const top = -view.center.lat - (degrees * size.height) / 2;
  const cross = toPixels(crosshair, view, size);
  return (
    <>
      {loadNames && <PlaceNames view={view} size={size} load={loadNames} />}
      <svg
        className={classes.world}
        viewBox={`${left} ${top} ${degrees * size.width} ${degrees * size.height}`}
        width={size.width}
        height={size.height}
        aria-hidden
        focusable="false"
      >
        {visibleCopies(view, size).map((offset) => (
          <g key={offset} transform={`translate(${offset} 0)`}>
            <rect fill="var(--rb-map-sea)" x={-180.01} y={-90} width={360.02} height={180} />
            {outline && <Land outline={outline} />}
            <Markers markers={markers} />
          </g>
        ))}
      </svg>
      {!outline && (
        <p className={classes.loading}>{failure ? 'Couldn’t load the country outlines.' : 'Loading the map…'}</p>
      )}
      <svg className={classes.cross} width={size.width} height={size.height} aria-hidden focusable="false">
        <g transform={`translate(${cross.x} ${cross.y})`}>
          <path className={classes.ground} d="M-16 0H-5M5 0H16M0-16V-5M0 5V16" />
          <path className={classes.crossLine} d="M-16 0H-5M5 0H16M0-16V-5M0 5V16" />
          <circle className={classes.crossLine} r={2} />
        </g>
      </svg>
    </>
  );
}

function useOutline(): { outline: WorldOutline | null; failure: boolean } {
  const [outline, setOutline] = useState<WorldOutline | null>(null);
  const [failure, setFailure] = useState(false);
  useEffect(() => {
    import('./world-outline.ts')
      .then(({ loadWorldOutline }) => loadWorldOutline())
      .then(setOutline, () => setFailure(true));
  }, []);
  return { outline, failure };
}

const Land = memo(function Land({ outline }: { readonly outline: WorldOutline }) {
  return (
    <>
      <path className={classes.land} d={outline.land} />
      <path className={classes.borders} d={outline.borders} />
    </>
  );
});

/** A line without length and with round ends is a dot whose size does not follow the zoom. */
const Markers = memo(function Markers({ markers }: { readonly markers: readonly MapMarker[] }) {
  return markers.map(({ id, lat, lng, label, color, isChosen }) => (
    <g key={id} data-marker={id}>
      <title>{label}</title>
      <path className={classes.markerGround} data-chosen={isChosen || undefined} d={`M${lng} ${-lat}h0`} />
      <path className={classes.marker} style={{ stroke: color }} d={`M${lng} ${-lat}h0`} />
    </g>
  ));
});

type NamedPlace = { name: string; lat: number; lng: number };
/** The largest first; keep it stable between renders. */
export type LoadNames = (box: ReturnType<typeof boxOf>) => Promise<readonly NamedPlace[]>;

type NamesProps = { view: MapView; size: MapSize; load: LoadNames };

/** Names are requested when the map has been still for this time. */
const restMs = 150;
const letterPixels = 7;
const heightPixels = 18;

/** The names of the largest towns in view, as many as don't touch each other. */
const PlaceNames = memo(function PlaceNames({ view, size, load }: Readonly<NamesProps>) {
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
