// What the chart and the table draw, as the user chose it for each connection, remembered in this window's own storage.
import { selectActiveId } from '../../connections/selectors.ts';
import { useMemo } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { readSavedList, save } from '../../../ui/window-storage.ts';

export const layers = ['temperature', 'dewPoint', 'precipitation', 'wind', 'humidity', 'pressure'] as const;
export type Layer = (typeof layers)[number];

const defaultLayers: ReadonlySet<string> = new Set(['temperature', 'precipitation', 'wind']);

/** Other features have layers of their own. */
export function useLayers(): { shown: ReadonlySet<string>; toggle: (layer: string) => void } {
  const id = useApp(selectActiveId) ?? '';
  const chosen = useApp((state) => state.forecast.layers[id]);
  const choose = useApp((state) => state.forecast.chooseLayers);
  const shown = useMemo(() => chosen ?? readLayers(id), [chosen, id]);
  const toggle = (layer: string) => {
    const next = new Set(shown);
    if (!next.delete(layer)) next.add(layer);
    choose(id, next);
    save(storageKey(id), JSON.stringify([...next]));
  };
  return { shown, toggle };
}

function readLayers(id: string): ReadonlySet<string> {
  const saved = readSavedList(storageKey(id));
  return saved ? new Set(saved.filter((layer) => typeof layer === 'string')) : defaultLayers;
}

function storageKey(id: string): string {
  return `rainbell.layers.${id}`;
}
