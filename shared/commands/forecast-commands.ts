// Commands of the Forecast screen.
import type { CommandTable } from './command.ts';

export const forecastCommands = {
  'forecast.place': {
    title: 'Go to a place',
    context: 'forecast',
    keys: ['/'],
    keywords: 'search city coordinates',
    focusesField: true,
  },
  'forecast.fetch': {
    title: 'Fetch the forecast',
    context: 'forecast',
    keys: ['R', 'F5'],
    keywords: 'reload refresh update',
  },
  'forecast.map': { title: 'Pick a location on the map', context: 'forecast', keys: ['M'] },
  'forecast.compare': { title: 'Compare forecasts', context: 'forecast', keys: ['C'], keywords: 'difference' },
  'forecast.table': { title: 'Switch between chart and table', context: 'forecast', keys: ['T'], keywords: 'rows' },
  'pane.point': { title: 'Show the point’s values', context: 'forecast', keys: ['1'], keywords: 'inspector tab' },
  'pane.json': {
    title: 'Show the response as JSON',
    context: 'forecast',
    keys: ['2'],
    keywords: 'json body inspector tab',
  },
  'pane.headers': { title: 'Show the headers', context: 'forecast', keys: ['3'], keywords: 'http inspector tab' },
  'pane.curl': { title: 'Show the request as cURL', context: 'forecast', keys: ['4'], keywords: 'shell inspector tab' },
  'forecast.inspect': {
    title: 'Inspect the response, or only read',
    context: 'forecast',
    keys: ['I'],
    keywords: 'json headers curl pane',
  },
  'forecast.deviation': {
    title: 'Go to the next deviation',
    context: 'forecast',
    keys: ['F8'],
    keywords: 'schema contract problem',
  },
  'forecast.deviationBack': {
    title: 'Go to the previous deviation',
    context: 'forecast',
    keys: ['Shift+F8'],
    keywords: 'schema contract problem',
  },
  'forecast.board': { title: 'Show saved places', context: 'forecast', keywords: 'board favorites' },
} as const satisfies CommandTable;
