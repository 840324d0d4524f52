// The map under a mouse or a finger: drag pans, the wheel zooms around the pointer, a click moves the cross-hair or chooses a
// marker, a double click picks.
import { type MouseEvent, type PointerEvent, useRef } from 'react';
import type { LatLng } from '@rainbell/contract/service-api';
import { type MapSize, type MapView, panned, toPlace, zoomed } from './map-view.ts';
import type { MapMarker } from './MapLayers.tsx';

type Tools = {
  view: MapView;
  size: MapSize;
  setView: (change: (before: MapView) => MapView) => void;
  markers: readonly MapMarker[];
  onMove: (place: LatLng) => void;
  onPick?: (place: LatLng) => void;
  onMarker?: (id: string) => void;
};

const clickSlackPixels = 4;

type Drag = { x: number; y: number; isMoved: boolean };

export function useMapMouse({ view, size, setView, markers, onMove, onPick, onMarker }: Tools) {
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
      const at = inside(event);
      const from = drag.current;
      if (!from) return;
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
