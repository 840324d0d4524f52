// The choice of the layer, if the service has a radar.
import { useApp } from '../../store/use-app.ts';
import { LayerChoice } from '../forecast/timeline/LayerChoices.tsx';
import { isRadarOffered } from './radar-slice.ts';

export function RadarLayer() {
  const isOffered = useApp(isRadarOffered);
  return isOffered && <LayerChoice layer="radar" label="Radar nowcast, next 2 hours" />;
}
