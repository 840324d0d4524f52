// A map of the world that needs no network: land and borders as vectors, with a cross-hair and markers. It works by
// mouse (drag, wheel, click) and by keyboard; the text field next to it is simpler for typing.
import { ActionIcon } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconMinus, IconPlus, IconWorld } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useId, useMemo, useRef, useState } from 'react';
import type { LatLng } from '@rainbell/contract/service-api';
import { formatCoordinates } from '../text/durations.ts';
import {
  fitting,
  following,
  type MapSize,
  type MapView,
  movedByKey,
  panned,
  settled,
  toPlace,
  zoomed,
} from './map-view.ts';
import { type LoadNames, type MapMarker, MapLayers } from './MapLayers.tsx';
import classes from './OfflineMap.module.css';

const zoomStep = 1.6;

type Props = {
  /** What the map is for, for screen readers: "Forecast location". */
  label: string;
  /** The position of the cross-hair; the owner stores it, and `onMove` requests a new one. */
  crosshair: LatLng;
  /** An arrow key or a click moved the cross-hair. Latitude -90 to 90, longitude -180 to 180, at most four decimals. */
  onMove: (place: LatLng) => void;
  /** Enter, Space, or a double click at a place without a marker. */
  onPick?: (place: LatLng) => void;
  /** Dots; keep the array stable between renders. Thousands are fine. */
  markers?: readonly MapMarker[];
  /** A marker was clicked, or Enter was pressed with the cross-hair on it (N and P step from marker to marker). */
  onMarker?: (id: string) => void;
  height?: number | string;
  loadNames?: LoadNames;
  /** Around the cross-hair: 1 shows the world, 96 is the most. Without it, the map opens with all markers in view. */
  startZoom?: number;
};

/**
 * The offline map. It loads its outlines on first use, so render it only when the user opens it; light and dark come from the
 * theme. Markers are `{ id, lat, lng, label, color, isChosen? }`; `color` is any CSS color, and must not be the only sign of a
 * state: write the state into `label`, which is shown on hover and announced by the live region.
 */
export function OfflineMap(props: Readonly<Props>) {
  const { label, crosshair, markers = [], height = 380 } = props;
  const { ref, width, height: measuredHeight } = useElementSize();
  const size = { width: Math.max(1, width), height: Math.max(1, measuredHeight) };
  const fitted = useMemo(() => fitting(markers, { width, height: measuredHeight }), [markers, width, measuredHeight]);
  const isFitted = props.startZoom === undefined && markers.length > 0;
  const opening = isFitted ? fitted : { center: crosshair, zoom: props.startZoom ?? 1 };
  const [chosen, setChosen] = useState<MapView | null>(null);
  const view = settled(chosen ?? opening, size);
  const setView = (next: MapView | ((before: MapView) => MapView)) =>
    setChosen((before) => (typeof next === 'function' ? next(before ?? opening) : next));
  const helpId = useId();
  const mouse = useMapMouse({ view, size, setView, markers }, props);
  const markerHere = markers.find(({ lat, lng }) => lat === crosshair.lat && lng === crosshair.lng);
  // Only a cross-hair that moved may carry the view along: who pans away from it wants to look elsewhere.
  const [followed, setFollowed] = useState(crosshair);
  if (followed.lat !== crosshair.lat || followed.lng !== crosshair.lng) {
    setFollowed(crosshair);
    setView(following(view, size, crosshair));
  }

  const zoomBy = (factor: number) => setView(zoomed(view, size, factor));
  const zoomHere = (factor: number) => setView(zoomed({ ...view, center: crosshair }, size, factor));
  const showWorld = () => setView({ center: crosshair, zoom: 1 });
  const pick = () => (markerHere && props.onMarker ? props.onMarker(markerHere.id) : props.onPick?.(crosshair));
  const stepTo = (step: 1 | -1) => {
    const marker = nextMarker(markers, crosshair, step);
    if (marker) props.onMove({ lat: marker.lat, lng: marker.lng });
  };
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoomHere(zoomStep),
    '=': () => zoomHere(zoomStep),
    '-': () => zoomHere(1 / zoomStep),
    _: () => zoomHere(1 / zoomStep),
    0: showWorld,
    Enter: pick,
    ' ': pick,
    n: () => stepTo(1),
    N: () => stepTo(1),
    p: () => stepTo(-1),
    P: () => stepTo(-1),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    const moved = movedByKey(event, crosshair);
    const run = moved ? () => props.onMove(moved) : event.altKey ? undefined : keys[event.key];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  return (
    <div className={classes.frame} style={{ height }}>
      {/* Arrow keys belong to the map itself, as in a drawing: that is what the role application says. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={ref}
        className={classes.map}
        role="application"
        aria-roledescription="Map"
        aria-label={label}
        aria-describedby={helpId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // In a dialog the arrows work at once.
        data-autofocus
        onKeyDown={onKeyDown}
        {...mouse}
      >
        {width > 0 && (
          <MapLayers view={view} size={size} crosshair={crosshair} markers={markers} loadNames={props.loadNames} />
        )}
      </div>
      <span className={`${classes.words} ${classes.readOut}`} role="status">
        <span className="rb-mono">{formatCoordinates(crosshair)}</span>
        {markerHere && ` · ${markerHere.label}`}
      </span>
      <p className={`rb-dim ${classes.words} ${classes.help}`} id={helpId}>
        {markers.length > 0
          ? 'Arrows 0.1°, Shift 1°, Alt 10° · + − zoom · 0 world · N P next, previous marker · Enter picks'
          : 'Arrows 0.1°, Shift 1°, Alt 10° · + − zoom · 0 world · Enter picks'}
      </p>
      <ActionIcon.Group orientation="vertical" className={classes.buttons ?? ''}>
        <ActionIcon variant="default" aria-label="Zoom in" onClick={() => zoomBy(zoomStep)}>
          <IconPlus />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Zoom out" onClick={() => zoomBy(1 / zoomStep)}>
          <IconMinus />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Show the whole world" onClick={showWorld}>
          <IconWorld />
        </ActionIcon>
      </ActionIcon.Group>
    </div>
  );
}

/** Markers from west to east, then from north to south, going round; the first beyond the cross-hair. */
function nextMarker(markers: readonly MapMarker[], from: LatLng, step: 1 | -1): MapMarker | undefined {
  const order = (one: LatLng, other: LatLng) => one.lng - other.lng || other.lat - one.lat;
  const sorted = markers.toSorted((one, other) => order(one, other) * step);
  return sorted.find((marker) => order(marker, from) * step > 0) ?? sorted[0];
}

const clickSlackPixels = 4;

type Drag = { x: number; y: number; isMoved: boolean };

type Shown = {
  view: MapView;
  size: MapSize;
  setView: (change: (before: MapView) => MapView) => void;
  markers: readonly MapMarker[];
};

/** Drag pans, the wheel zooms around the pointer, a click moves the cross-hair or chooses a marker, a double click picks. */
function useMapMouse({ view, size, setView, markers }: Shown, { onMove, onPick, onMarker }: Props) {
  const drag = useRef<Drag | null>(null);
  const inside = (event: MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const markerUnder = ({ clientX, clientY }: MouseEvent) => {
    const dot = document.elementFromPoint(clientX, clientY)?.closest<SVGElement>('[data-marker]');
    return dot && markers.find(({ id }) => id === dot.dataset['marker']);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { ...inside(event), isMoved: false };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const from = drag.current;
      if (!from) return;
      const at = inside(event);
      if (!from.isMoved && Math.hypot(at.x - from.x, at.y - from.y) < clickSlackPixels) return;
      setView((before) => panned(before, size, at.x - from.x, at.y - from.y));
      drag.current = { ...at, isMoved: true };
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const from = drag.current;
      drag.current = null;
      if (!from || from.isMoved) return;
      const at = inside(event);
      const marker = markerUnder(event);
      onMove(marker ? { lat: marker.lat, lng: marker.lng } : toPlace(at.x, at.y, view, size));
      if (marker) onMarker?.(marker.id);
    },
    onPointerCancel() {
      drag.current = null;
    },
    onDoubleClick(event: MouseEvent<HTMLElement>) {
      const at = inside(event);
      if (!markerUnder(event)) onPick?.(toPlace(at.x, at.y, view, size));
    },
    onWheel(event: { deltaY: number } & MouseEvent<HTMLElement>) {
      const { x, y } = inside(event);
      // A wheel's click is about 100; a trackpad sends many small steps.
      const factor = Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) / 300);
      setView((before) => zoomed(before, size, factor, x, y));
    },
  };
}
