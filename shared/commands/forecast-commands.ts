// Commands of the Forecast screen.
import { commandsIn, keysIn } from './command.ts';

export const forecastCommands = commandsIn('forecast', {
  'forecast.place': { title: 'Go to a place', keys: ['/'], keywords: 'search city coordinates' },
  'forecast.fetch': { title: 'Fetch the forecast', keys: ['R', 'F5'], keywords: 'reload refresh update' },
  'forecast.map': { title: 'Pick a location on the map', keys: ['M'] },
  'forecast.compare': { title: 'Compare forecasts', keys: ['C'], keywords: 'difference' },
  'forecast.table': { title: 'Switch between chart and table', keys: ['T'], keywords: 'rows' },
  'pane.point': { title: 'Show the point’s values', keys: ['1'], keywords: 'inspector tab' },
  'pane.json': { title: 'Show the response as JSON', keys: ['2'], keywords: 'json body inspector tab' },
  'pane.headers': { title: 'Show the headers', keys: ['3'], keywords: 'http inspector tab' },
  'pane.curl': { title: 'Show the request as cURL', keys: ['4'], keywords: 'shell inspector tab' },
  'forecast.inspect': { title: 'Inspect the response, or only read', keys: ['I'], keywords: 'json headers curl pane' },
  'forecast.board': { title: 'Show saved places', keywords: 'board favorites' },
});

/** Of the chart. Like those of other controls, the palette can't press them. */
export const chartKeys = keysIn('chart', {
  'chart.point': ['Go one point back or forward', 'ArrowLeft', 'ArrowRight'],
  'chart.run': ['Go to the previous or next weather change', 'Shift+ArrowLeft', 'Shift+ArrowRight'],
  'chart.day': ['Go one day back or forward', 'PageUp', 'PageDown'],
  'chart.ends': ['Go to now or to the last point', 'Home', 'End'],
  'chart.inspect': ['Inspect the point', 'Enter'],
});
