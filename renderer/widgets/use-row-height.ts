// The height of a list's rows, as the density in Settings has it.
import { useState } from 'react';
import { rowHeights } from '@rainbell/shared';
import { useApp } from '../store/use-app.ts';

/** In px; the stylesheet has it as `--rb-row` or `--rb-tall-row`. */
export function useRowHeight(kind: 'row' | 'tall-row'): number {
  const [textScale] = useState(readTextScale);
  return useApp(({ settings }) => rowHeights[settings.values.density][kind]) * textScale;
}

/** The stylesheet's heights follow the browser's text size, which is usually 16 px. */
function readTextScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
