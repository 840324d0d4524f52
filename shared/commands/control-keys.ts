// Keys of single controls (tables, lists, map): listed in the shortcuts sheet and the guide, but not run by the palette. Each
// control reads its keys where it is rendered.
import type { CommandTable } from './command.ts';

const keyOnly = { isKeyOnly: true } as const;

export const controlKeys = {
  'monitor.move': {
    title: 'Go to the previous or next row',
    context: 'monitor table',
    keys: ['ArrowUp', 'ArrowDown'],
    ...keyOnly,
  },
  'monitor.select': { title: 'Select or deselect the row', context: 'monitor table', keys: ['Space'], ...keyOnly },
  'monitor.all': { title: 'Select all rows', context: 'monitor table', keys: ['Mod+A'], ...keyOnly },
  'monitor.open': { title: 'Open the details', context: 'monitor table', keys: ['Enter'], ...keyOnly },
  'monitor.edit': { title: 'Edit the monitor', context: 'monitor table', keys: ['F2'], ...keyOnly },
  'monitor.delete': {
    title: 'Delete the row or the selection',
    context: 'monitor table',
    keys: ['Delete'],
    ...keyOnly,
  },
  'monitor.close': { title: 'Close the details', context: 'monitor table', keys: ['Escape'], ...keyOnly },
  'callback.move': {
    title: 'Open the previous or next callback',
    context: 'callback list',
    keys: ['ArrowUp', 'ArrowDown'],
    ...keyOnly,
  },
  'callback.select': {
    title: 'Select or deselect the callback',
    context: 'callback list',
    keys: ['Space'],
    ...keyOnly,
  },
  'callback.range': {
    title: 'Select a range of callbacks',
    context: 'callback list',
    keys: ['Shift+ArrowUp', 'Shift+ArrowDown'],
    ...keyOnly,
  },
  'callback.all': { title: 'Select all matches', context: 'callback list', keys: ['Mod+A'], ...keyOnly },
  'callback.delete': {
    title: 'Delete the callback or the selection',
    context: 'callback list',
    keys: ['Delete'],
    ...keyOnly,
  },
  'request.move': {
    title: 'Open the previous or next request',
    context: 'request list',
    keys: ['ArrowUp', 'ArrowDown'],
    ...keyOnly,
  },
  'map.move': {
    title: 'Move by 0.1° (Shift: 1°, Alt: 10°)',
    context: 'map',
    keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
    ...keyOnly,
  },
  'map.zoom': { title: 'Zoom in or out', context: 'map', keys: ['+', '-'], ...keyOnly },
  'map.world': { title: 'Show the whole world', context: 'map', keys: ['0'], ...keyOnly },
  'map.marker': { title: 'Go to the next or previous marker', context: 'map', keys: ['N', 'P'], ...keyOnly },
  'map.pick': { title: 'Pick the location, or open the monitor there', context: 'map', keys: ['Enter'], ...keyOnly },
} as const satisfies CommandTable;
