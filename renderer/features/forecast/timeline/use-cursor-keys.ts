// The cursor by keys, from load and wherever the focus is, unless a field or a control uses the key itself (listen-for-keys.ts).
import { useEffect, useEffectEvent } from 'react';
import { shownCursor } from '../common/forecast-slice.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import type { OfferedCommand } from '../../../store/commands-slice.ts';
import { useAppStore } from '../../../store/use-app.ts';
import { chartKeys } from '@rainbell/shared';
import { keyTarget } from './timeline-keys.ts';

const walking = [chartKeys['chart.point'], chartKeys['chart.run'], chartKeys['chart.day'], chartKeys['chart.ends']];

export function useCursorKeys(model: TimelineModel | null): void {
  const store = useAppStore();
  const press = useEffectEvent((name: string) => {
    const { forecast } = store.getState();
    if (name === 'Enter') return forecast.pin(shownCursor(forecast));
    if (name === 'Escape') return forecast.unpin();
    if (!model) return;
    const isShift = name.startsWith('Shift+');
    const position = Math.max(
      0,
      model.points.findIndex(({ point }) => point.index === shownCursor(forecast)),
    );
    const target = keyTarget(model, position, isShift ? name.slice('Shift+'.length) : name, isShift);
    const chosen = target === undefined ? undefined : model.points[target];
    if (chosen) forecast.moveCursor(chosen.point.index);
  });
  useEffect(() => {
    const keys = [
      ...walking.flatMap((command) => [...command.keys]),
      'ArrowUp',
      'ArrowDown',
      ...chartKeys['chart.pin'].keys,
      ...chartKeys['chart.unpin'].keys,
    ];
    const offer = new Map<string, OfferedCommand>(
      keys.map((key) => [`chart:${key}`, { keys: [key], run: () => press(key) }]),
    );
    return store.getState().commands.offer(offer);
  }, [store]);
}
