// The monitors on the offline map, colored and named by state. A marker opens its monitor; a double click, or Enter with the
// cross-hair somewhere, starts a new one there. The table above shows the same as text.
import { Button } from '@mantine/core';
import { IconMapPinPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useShownPlace } from '../forecast/selectors.ts';
import { useApp } from '../../store/use-app.ts';
import { formatCoordinates } from '../../ui/text/durations.ts';
import { OfflineMap } from '../../ui/map/OfflineMap.tsx';
import type { MonitorRow } from './table/monitor-rows.ts';
import { conditionLooks } from './common/delivery-status.ts';
import classes from './common/MonitorsScreen.module.css';

const colors = {
  plain: 'var(--rb-dim)',
  accent: 'var(--rb-accent)',
  warn: 'var(--rb-warn)',
  bad: 'var(--rb-bad)',
} as const;

export function MonitorMap({ rows }: { readonly rows: readonly MonitorRow[] }) {
  const { select, openDialog, selectedId } = useApp((state) => state.monitors);
  const { lat, lng } = useShownPlace();
  const start = (rows.find(({ monitor }) => monitor.id === selectedId) ?? rows[0])?.monitor.geo ?? { lat, lng };
  const loadNames = useApp((state) => state.places.within);
  const [at, setAt] = useState(start);
  const markers = useMemo(
    () =>
      rows.map(({ monitor: { id, name, geo }, deliveryStatus: { condition } }) => ({
        id,
        lat: geo.lat,
        lng: geo.lng,
        label: `${name || id}, ${conditionLooks[condition].label}`,
        color: colors[conditionLooks[condition].tone],
        isChosen: id === selectedId,
      })),
    [rows, selectedId],
  );
  const begin = (place: { lat: number; lng: number }) => openDialog({ kind: 'create', at: place });
  return (
    <section className={`rb-column ${classes.map}`} aria-label="Monitor map">
      <OfflineMap
        label="Monitors on the map"
        crosshair={at}
        onMove={setAt}
        onPick={begin}
        markers={markers}
        onMarker={select}
        loadNames={loadNames}
        height="clamp(300px, 42vh, 640px)"
      />
      <Button leftSection={<IconMapPinPlus />} onClick={() => begin(at)}>
        New monitor at {formatCoordinates(at)}
      </Button>
    </section>
  );
}
