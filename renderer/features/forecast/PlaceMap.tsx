// The place of the forecast on the offline map, with the saved places as markers.
import { useMemo } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { PickOnMapDialog } from '../../ui/map/PickOnMapDialog.tsx';
import { PlaceSearch } from '../../widgets/PlaceSearch.tsx';
import { placeAt, formatPlace } from '../../ui/text/format-place.ts';

type Props = { onPick: (place: Place) => void; onClose: () => void };

export function PlaceMap({ onPick, onClose }: Readonly<Props>) {
  const { place, savedPlaces } = useApp((state) => state.settings.values);
  const loadNames = useApp((state) => state.places.within);
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
  return (
    <PickOnMapDialog
      title="Pick a location on the map"
      action="Fetch the forecast here"
      start={place}
      markers={markers}
      loadNames={loadNames}
      search={(move) => <PlaceSearch field="map" label="Find a place" isLabelShown place={null} onPick={move} />}
      onPick={({ lat, lng }) =>
        onPick(savedPlaces.find((saved) => saved.lat === lat && saved.lng === lng) ?? placeAt({ lat, lng }))
      }
      onClose={onClose}
    />
  );
}
