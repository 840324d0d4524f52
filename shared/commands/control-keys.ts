// Keys of single controls (tables, lists, map): listed in the shortcuts sheet and the guide, but not run by the palette. Each
// control reads its own.
import { keysIn } from './command.ts';

export const controlKeys = {
  ...keysIn('monitor table', {
    'monitor.move': ['Go to the previous or next row', 'ArrowUp', 'ArrowDown'],
    'monitor.select': ['Select or deselect the row', 'Space'],
    'monitor.all': ['Select all rows', 'Mod+A'],
    'monitor.open': ['Open the details', 'Enter'],
    'monitor.delete': ['Delete the row or the selection', 'Delete'],
    'monitor.close': ['Close the details', 'Escape'],
  }),
  ...keysIn('callback list', {
    'callback.move': ['Open the previous or next callback', 'ArrowUp', 'ArrowDown'],
    'callback.select': ['Select or deselect the callback', 'Space'],
    'callback.range': ['Select a range of callbacks', 'Shift+ArrowUp', 'Shift+ArrowDown'],
    'callback.all': ['Select all matches', 'Mod+A'],
    'callback.delete': ['Delete the callback or the selection', 'Delete'],
  }),
  ...keysIn('request list', {
    'request.move': ['Open the previous or next request', 'ArrowUp', 'ArrowDown'],
  }),
  ...keysIn('map', {
    'map.move': ['Move by 0.1° (Shift: 1°, Alt: 10°)', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
    'map.zoom': ['Zoom in or out', '+', '-'],
    'map.world': ['Show the whole world', '0'],
    'map.marker': ['Go to the next or previous marker', 'N', 'P'],
    'map.pick': ['Pick the location, or open the monitor there', 'Enter'],
  }),
};
