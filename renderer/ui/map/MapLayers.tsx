// What the map draws, from the ground up: sea, land, borders, markers, cross-hair. All is in degrees under one
// viewBox, so that panning and zooming change two attributes and redraw nothing in React.
import { memo, useEffect, useState } from 'react';
import type { LatLng } from '@rainbell/contract/service-api';
import { degreesPerPixel, type MapSize, type MapView, toPixels, visibleCopies } from './map-view.ts';
import classes from './OfflineMap.module.css';
import type { WorldOutline } from './world-outline.ts';

export type MapMarker = {
  id: string;
  lat: number;
  lng: number;
  /** Name and state, as text. */
  label: string;
  /** Any CSS color. */
  color: string;
  isChosen?: boolean;
};

type Props = {
  view: MapView;
  size: MapSize;
  crosshair: LatLng;
  markers: readonly MapMarker[];
};

export function MapLayers({ view, size, crosshair, markers }: Readonly<Props>) {
  const { outline, failure } = useOutline();
  const degrees = degreesPerPixel(view, size);
  const left = view.center.lng - (degrees * size.width) / 2;
  const top = -view.center.lat - (degrees * size.height) / 2;
  const cross = toPixels(crosshair, view, size);
  return (
    <>
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
