// What the chart and the table draw.
import { Checkbox } from '@mantine/core';
import { type Layer, layers, useLayers } from '../common/layers.ts';
import { FeatureParts } from '../../../widgets/FeatureParts.tsx';

const names: Readonly<Record<Layer, string>> = {
  temperature: 'Temperature',
  dewPoint: 'Dew point',
  precipitation: 'Precipitation',
  wind: 'Wind',
  humidity: 'Humidity',
  pressure: 'Pressure',
};

export function LayerChoices() {
  return (
    <div className="rb-column">
      {layers.map((layer) => (
        <LayerChoice key={layer} layer={layer} label={names[layer]} />
      ))}
      <FeatureParts name="chart layers" />
    </div>
  );
}

export function LayerChoice({ layer, label }: { readonly layer: string; readonly label: string }) {
  const { shown, toggle } = useLayers();
  return <Checkbox size="xs" label={label} checked={shown.has(layer)} onChange={() => toggle(layer)} />;
}
