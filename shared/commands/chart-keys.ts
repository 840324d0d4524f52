// Keys of the forecast's chart. Like those of other controls (control-keys.ts), the palette can't press them.
import type { CommandTable } from './command.ts';

const keyOnly = { isKeyOnly: true } as const;

export const chartKeys = {
  'chart.point': {
    title: 'Go one point back or forward',
    context: 'chart',
    keys: ['ArrowLeft', 'ArrowRight'],
    ...keyOnly,
  },
  'chart.run': {
    title: 'Go to the previous or next weather change',
    context: 'chart',
    keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'],
    ...keyOnly,
  },
  'chart.day': { title: 'Go one day back or forward', context: 'chart', keys: ['PageUp', 'PageDown'], ...keyOnly },
  'chart.ends': { title: 'Go to now or to the last point', context: 'chart', keys: ['Home', 'End'], ...keyOnly },
  'chart.pin': { title: 'Pin and inspect the point', context: 'chart', keys: ['Enter'], ...keyOnly },
  'chart.unpin': { title: 'Unpin the point', context: 'chart', keys: ['Escape'], ...keyOnly },
} as const satisfies CommandTable;
