// The height of a list's rows, as the density in Settings has it.
import { rowHeights } from '@rainbell/shared';
import { useApp } from '../store/use-app.ts';

/** In px; the stylesheet has it as `--rb-row` or `--rb-tall-row`. */
export function useRowHeight(kind: 'row' | 'tall-row'): number {
  return useApp(({ settings }) => rowHeights[settings.values.density][kind]);
}
