// Commands of the Forecast screen.
import type { CommandTable } from './command.ts';

export const forecastCommands = {
  'forecast.place': { title: 'Go to a place', context: 'forecast', keys: ['/'], keywords: 'search city coordinates' },
  'forecast.fetch': {
    title: 'Fetch the forecast',
    context: 'forecast',
    keys: ['R', 'F5'],
    keywords: 'reload refresh update',
  },
  'forecast.map': { title: 'Pick a place on the map', context: 'forecast', keys: ['M'] },
  'forecast.compare': { title: 'Compare forecasts', context: 'forecast', keys: ['C'], keywords: 'difference' },
  'forecast.table': { title: 'Switch between chart and table', context: 'forecast', keys: ['T'], keywords: 'rows' },
  'pane.point': { title: 'Show the point as JSON', context: 'forecast', keys: ['1'], keywords: 'inspector tab' },
  'pane.response': {
    title: 'Show the response',
    context: 'forecast',
    keys: ['2'],
    keywords: 'json body inspector tab',
  },
  'pane.headers': { title: 'Show the headers', context: 'forecast', keys: ['3'], keywords: 'http inspector tab' },
  'pane.curl': { title: 'Show the request as cURL', context: 'forecast', keys: ['4'], keywords: 'shell inspector tab' },
} as const satisfies CommandTable;
