// The height of a list's rows, as the density in Settings has it.
import { rowHeights } from '@rainbell/shared';
import { useApp } from '../store/use-app.ts';

/** The stylesheet's heights follow the browser's text size, which is usually 16 px. */
const textScale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;

/** In px; the stylesheet has it as `--rb-row` or `--rb-tall-row`. */
export function useRowHeight(kind: 'row' | 'tall-row'): number {
  return useApp(({ settings }) => rowHeights[settings.values.density][kind]) * textScale;
}
