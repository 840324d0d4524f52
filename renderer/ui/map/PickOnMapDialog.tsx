// Picks a point on the offline map: by mouse, by keyboard, or by typing the coordinates, which are validated first.
import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { LatLng } from '@rainbell/contract/service-api';
import { parseDegrees, writeDegrees } from '@rainbell/shared';
import { Dialog } from '../dialogs/Dialog.tsx';
import { submitBy } from '../hooks/submit-by.ts';
import type { MapMarker } from './MapLayers.tsx';
import { OfflineMap } from './OfflineMap.tsx';
import type { LoadNames } from './PlaceNames.tsx';

type Props = {
  title: string;
  /** What the button does with the point: "Fetch the forecast here". */
  action: string;
  start: LatLng;
  markers?: readonly MapMarker[];
  loadNames?: LoadNames;
  /** A field that finds a place by name, and moves the cross-hair there. */
  search?: (move: (place: LatLng) => void) => ReactNode;
  onPick: (place: LatLng) => void;
  onClose: () => void;
};

export function PickOnMapDialog({ title, action, start, markers = [], onPick, onClose, ...parts }: Readonly<Props>) {
  const [at, setAt] = useState(start);
  const [lat, setLat] = useState(writeDegrees(start.lat));
  const [lng, setLng] = useState(writeDegrees(start.lng));
  const typed = { lat: parseDegrees(lat, 'lat'), lng: parseDegrees(lng, 'lng') };
  const problem = (one: typeof typed.lat) => (one.ok ? null : one.problem);
  const move = (place: LatLng) => {
    setAt(place);
    setLat(writeDegrees(place.lat));
    setLng(writeDegrees(place.lng));
  };
  const type = (next: { lat: string; lng: string }) => {
    setLat(next.lat);
    setLng(next.lng);
    const [south, east] = [parseDegrees(next.lat, 'lat'), parseDegrees(next.lng, 'lng')];
    if (south.ok && east.ok) setAt({ lat: south.value, lng: east.value });
  };
  const submit = () => {
    if (typed.lat.ok && typed.lng.ok) onPick({ lat: typed.lat.value, lng: typed.lng.value });
  };
  return (
    <Dialog title={title} onClose={onClose} size="920px">
      <form onSubmit={submitBy(submit)} noValidate>
        <OfflineMap
          label={title}
          crosshair={at}
          onMove={move}
          onPick={onPick}
          markers={markers}
          {...(parts.loadNames && { loadNames: parts.loadNames })}
          height="min(440px, 55dvh)"
          startZoom={2}
        />
        <Group align="flex-start" mt="md">
          {parts.search?.(move)}
          <TextInput
            label="Latitude"
            value={lat}
            error={problem(typed.lat)}
            onChange={(event) => type({ lat: event.currentTarget.value, lng })}
            w={190}
          />
          <TextInput
            label="Longitude"
            value={lng}
            error={problem(typed.lng)}
            onChange={(event) => type({ lat, lng: event.currentTarget.value })}
            w={190}
          />
          {/* Beside the fields, below the height of their labels. */}
          <Button type="submit" ml="auto" mt="lg" disabled={!typed.lat.ok || !typed.lng.ok}>
            {action}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
