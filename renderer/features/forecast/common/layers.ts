// What the chart and the table draw, as the user chose it.
import { useApp } from '../../../store/use-app.ts';

export const layerNames = {
  temperature: 'Temperature',
  dewPoint: 'Dew point',
  precipitation: 'Precipitation',
  wind: 'Wind',
  humidity: 'Humidity',
  pressure: 'Pressure',
  radar: 'Radar nowcast, next 2 hours',
} as const;
export type Layer = keyof typeof layerNames;

export function useLayers(): { shown: ReadonlySet<string>; toggle: (layer: string) => void } {
  const shown = useApp((state) => state.forecast.layers);
  const choose = useApp((state) => state.forecast.chooseLayers);
  const toggle = (layer: string) => {
    const next = new Set(shown);
    if (!next.delete(layer)) next.add(layer);
    choose(next);
  };
  return { shown, toggle };
}
