// Where the command that makes it rain does so.
import type { AppState } from '../../store/app-state.ts';
import { shownPlace } from '../forecast/selectors.ts';
import { formatPlace } from '../../ui/text/format-place.ts';
import { selectOpenMonitor } from '../monitors/selectors.ts';

/** The open monitor, otherwise the place of the forecast. */
export function rainTarget(state: AppState): { name: string; geo: { lat: number; lng: number } } {
  const monitor = state.frame.screen === 'monitors' ? selectOpenMonitor(state) : undefined;
  if (monitor) return { name: monitor.name || monitor.id, geo: monitor.geo };
  const place = shownPlace(state);
  return { name: formatPlace(place), geo: { lat: place.lat, lng: place.lng } };
}
