// The icons that the screens show, loaded by core: one request per URL, however many points share it.
import { useEffect } from 'react';
import type { WeatherIcon } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';
import { useApp } from '../../../store/use-app.ts';

export interface IconsSlice extends ReturnType<typeof createIconsSlice> {}

/** A service has about 40 icons of a few KB. A hostile one could send another URL, and 256 KB, with each point. */
const limits = { icons: 256, characters: 16 * 1024 * 1024 };

export function createIconsSlice({ client, read, change }: SliceTools<IconsSlice>) {
  const requested = new Set<string>();
  const put = (url: string, state: WeatherIcon) => change({ states: new Map(read().states).set(url, state) });
  const isFull = () =>
    requested.size >= limits.icons ||
    [...read().states.values()].reduce((sum, icon) => sum + (icon.state === 'loaded' ? icon.dataUrl.length : 0), 0) >
      limits.characters;
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** By URL; a URL that is not in it was not requested or is loading. */
    states: new Map() as ReadonlyMap<string, WeatherIcon>,
    async load(url: string): Promise<void> {
      if (requested.has(url)) return;
      if (isFull()) {
        if (!read().states.has(url)) put(url, failed('not loaded: too many different icons'));
        return;
      }
      requested.add(url);
      put(url, await client.forecast.icon({ url }).catch(() => failed('couldn’t be loaded')));
    },
    /** Chromium can't draw what was loaded. */
    markBroken: (url: string): void => put(url, failed('returned an image that can’t be displayed', 'broken')),
    /** Called when forecasts are fetched: icons on screen that failed are loaded again. */
    retryFailed(): void {
      const wasFull = isFull();
      const next = new Map<string, WeatherIcon>();
      for (const [url, icon] of read().states) {
        if (icon.state === 'loaded' && !wasFull) next.set(url, icon);
        else requested.delete(url);
      }
      if (next.size < read().states.size) change({ states: next });
    },
  };
}

/** The icon at a URL, which loads if nothing has requested it yet; undefined while it loads, and without a URL. */
export function useIcon(url: string | null): WeatherIcon | undefined {
  const icon = useApp((state) => (url === null ? undefined : state.icons.states.get(url)));
  const load = useApp((state) => state.icons.load);
  const isMissing = icon === undefined;
  useEffect(() => {
    if (url !== null && isMissing) void load(url);
  }, [url, isMissing, load]);
  return icon;
}

function failed(reason: string, short = 'no icon'): WeatherIcon {
  return { state: 'failed', short, reason };
}

export type IconProblem = { short: string; long: string };

/** Why an icon is not shown; undefined if it is, or may still be. */
export function iconProblem(url: string | null, icon: WeatherIcon | undefined): IconProblem | undefined {
  if (url === null) return { short: 'none', long: 'the point has no icon URL' };
  return icon?.state === 'failed' ? { short: icon.short, long: `${url} ${icon.reason}` } : undefined;
}
