// Keys of the forecast's chart. Like those of other controls (control-keys.ts), the palette can't press them.
import { keysIn } from './command.ts';

export const chartKeys = keysIn('chart', {
  'chart.point': ['Go one point back or forward', 'ArrowLeft', 'ArrowRight'],
  'chart.run': ['Go to the previous or next weather change', 'Shift+ArrowLeft', 'Shift+ArrowRight'],
  'chart.day': ['Go one day back or forward', 'PageUp', 'PageDown'],
  'chart.ends': ['Go to now or to the last point', 'Home', 'End'],
  'chart.inspect': ['Inspect the point', 'Enter'],
});
