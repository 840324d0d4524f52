// Picks the place of the forecast on the offline map, with the saved places as markers; the field finds names and coordinates.
import { Button, Group } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import type { LatLng } from '@rainbell/contract/service-api';
import { useApp } from '../../store/use-app.ts';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { OfflineMap } from '../../ui/map/OfflineMap.tsx';
import { PlaceSearch } from '../../widgets/PlaceSearch.tsx';
import { placeAt, formatPlace } from '../../ui/text/format-place.ts';

type Props = { onPick: (place: Place) => void; onClose: () => void };

const title = 'Pick a location on the map';

export function PlaceMap({ onPick, onClose }: Readonly<Props>) {
  const { place, savedPlaces } = useApp((state) => state.settings.values);
  const loadNames = useApp((state) => state.places.within);
  const [at, setAt] = useState<LatLng>({ lat: place.lat, lng: place.lng });
  const markers = useMemo(
    () =>
      savedPlaces.map((saved) => ({
        id: `${saved.lat},${saved.lng}`,
        lat: saved.lat,
        lng: saved.lng,
        label: formatPlace(saved),
        color: 'var(--rb-accent)',
      })),
    [savedPlaces],
  );
  const pick = ({ lat, lng }: LatLng) =>
    onPick(savedPlaces.find((saved) => saved.lat === lat && saved.lng === lng) ?? placeAt({ lat, lng }));
  return (
    <Dialog title={title} onClose={onClose} size="920px">
      <OfflineMap
        label={title}
        crosshair={at}
        onMove={setAt}
        onPick={pick}
        markers={markers}
        loadNames={loadNames}
        height="min(440px, 55dvh)"
        startZoom={2}
      />
      <Group align="flex-end" justify="space-between">
        <PlaceSearch
          field="map"
          label="Find a place"
          isLabelShown
          place={null}
          onPick={({ lat, lng }) => setAt({ lat, lng })}
        />
        <Button variant="filled" onClick={() => pick(at)}>
          Fetch the forecast here
        </Button>
      </Group>
    </Dialog>
  );
}
