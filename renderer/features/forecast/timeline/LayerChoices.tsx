// What the chart and the table draw, kept for each connection.
import { Checkbox } from '@mantine/core';
import { type Layer, layers, useLayers } from '../common/layers.ts';
import { useApp } from '../../../store/use-app.ts';

const names: Readonly<Record<Layer, string>> = {
  temperature: 'Temperature',
  dewPoint: 'Dew point',
  precipitation: 'Precipitation',
  wind: 'Wind',
  humidity: 'Humidity',
  pressure: 'Pressure',
  radar: 'Radar nowcast, next 2 hours',
};

export function LayerChoices() {
  const { shown, toggle } = useLayers();
  const hasRadar = useApp(({ monitors }) => monitors.facts?.hasRadarMinutes === true);
  return (
    <div className="rb-column">
      {layers
        .filter((layer) => layer !== 'radar' || hasRadar)
        .map((layer) => (
          <Checkbox
            key={layer}
            size="xs"
            label={names[layer]}
            checked={shown.has(layer)}
            onChange={() => toggle(layer)}
          />
        ))}
      <p className="rb-note">Saved for this connection.</p>
    </div>
  );
}
