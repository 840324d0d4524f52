// What the chart and the table draw, kept for each connection.
import { Checkbox } from '@mantine/core';
import { type Layer, layers, useLayers } from '#renderer/features/forecast/common/layers.ts';
import classes from './TimelineCard.module.css';

const names: Readonly<Record<Layer, string>> = {
  temperature: 'Temperature',
  dewPoint: 'Dew point',
  precipitation: 'Precipitation',
  wind: 'Wind',
  humidity: 'Humidity',
  pressure: 'Pressure',
};

export function LayerChoices() {
  const { shown, toggle } = useLayers();
  return (
    <div className={classes.layers}>
      {layers.map((layer) => (
        <Checkbox
          key={layer}
          size="xs"
          label={names[layer]}
          checked={shown.has(layer)}
          onChange={() => toggle(layer)}
        />
      ))}
      <p>Saved for this connection.</p>
    </div>
  );
}
