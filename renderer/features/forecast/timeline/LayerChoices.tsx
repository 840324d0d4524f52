// What the chart and the table draw.
import { Checkbox } from '@mantine/core';
import { layerNames, useLayers } from '../common/layers.ts';
import { FeatureParts } from '../../../widgets/FeatureParts.tsx';

export function LayerChoices() {
  return (
    <div className="rb-column">
      {Object.entries(layerNames).map(([layer, label]) => (
        <LayerChoice key={layer} layer={layer} label={label} />
      ))}
      <FeatureParts name="chart layers" />
    </div>
  );
}

export function LayerChoice({ layer, label }: { readonly layer: string; readonly label: string }) {
  const { shown, toggle } = useLayers();
  return <Checkbox size="xs" label={label} checked={shown.has(layer)} onChange={() => toggle(layer)} />;
}
