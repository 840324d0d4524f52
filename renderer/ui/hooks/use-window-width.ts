// How much room the window has, as layouts need to know. In the forecast, `wide` has the pane beside the chart, `medium` lays it over
// the chart, `narrow` has it as a sheet at the bottom and pans the chart, `slim` shows fewer hours of it.
import { useSyncExternalStore } from 'react';

type WindowWidth = 'slim' | 'narrow' | 'medium' | 'wide';

let made: readonly MediaQueryList[] | undefined;
/** Made with the first question: tests of the store have no window. */
const queries = () =>
  (made ??= ['(width < 640px)', '(width < 1024px)', '(width < 1280px)'].map((query) => matchMedia(query)));
const names = ['slim', 'narrow', 'medium'] as const;

function windowWidth(): WindowWidth {
  const place = queries().findIndex(({ matches }) => matches);
  return names[place] ?? 'wide';
}

export function useWindowWidth(): WindowWidth {
  return useSyncExternalStore(watch, windowWidth);
}

function watch(onChange: () => void): () => void {
  for (const query of queries()) query.addEventListener('change', onChange);
  return () => {
    for (const query of queries()) query.removeEventListener('change', onChange);
  };
}
