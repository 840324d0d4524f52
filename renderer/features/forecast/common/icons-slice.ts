// The icons that the screens show, loaded by core: one request per URL, however many points share it.
import { useEffect } from 'react';
import type { WeatherIcon } from '@rainbell/contract/app-rpc';
import type { SliceTools } from '../../../store/slice.ts';
import { useApp } from '../../../store/use-app.ts';

/** `broken`: Chromium can't draw what was loaded. `tooMany`: not loaded, because too many icons are held already. */
export type IconState = WeatherIcon | { state: 'broken' } | { state: 'tooMany' };

export interface IconsSlice extends ReturnType<typeof createIconsSlice> {}

/** A service has about 40 icons of a few KB. A hostile one could send another URL, and 256 KB, with each point. */
const limits = { icons: 256, characters: 16 * 1024 * 1024 };

export function createIconsSlice({ client, read, change }: SliceTools<IconsSlice>) {
  const requested = new Set<string>();
  const put = (url: string, state: IconState) => change({ states: new Map(read().states).set(url, state) });
  const isFull = () =>
    requested.size >= limits.icons ||
    [...read().states.values()].reduce((sum, icon) => sum + (icon.state === 'loaded' ? icon.dataUrl.length : 0), 0) >
      limits.characters;
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** By URL; a URL that is not in it was not requested or is loading. */
    states: new Map() as ReadonlyMap<string, IconState>,
    async load(url: string): Promise<void> {
      if (requested.has(url)) return;
      if (isFull()) {
        if (!read().states.has(url)) put(url, { state: 'tooMany' });
        return;
      }
      requested.add(url);
      const icon = await client.forecast
        .icon({ url })
        .catch((): IconState => ({ state: 'failed', status: null, problem: null }));
      put(url, icon);
    },
    markBroken: (url: string): void => put(url, { state: 'broken' }),
    /** Called when forecasts are fetched: icons on screen that failed are loaded again. */
    retryFailed(): void {
      const wasFull = isFull();
      const next = new Map<string, IconState>();
      for (const [url, icon] of read().states) {
        if (icon.state === 'loaded' && !wasFull) next.set(url, icon);
        else requested.delete(url);
      }
      if (next.size < read().states.size) change({ states: next });
    },
  };
}

/** The icon at a URL, which loads if nothing has requested it yet; undefined while it loads, and without a URL. */
export function useIcon(url: string | null): IconState | undefined {
  const icon = useApp((state) => (url === null ? undefined : state.icons.states.get(url)));
  const load = useApp((state) => state.icons.load);
  const isMissing = icon === undefined;
  useEffect(() => {
    if (url !== null && isMissing) void load(url);
  }, [url, isMissing, load]);
  return icon;
}

export type IconProblem = { short: string; long: string };

/** Why an icon is not shown; undefined if it is, or may still be. */
export function iconProblem(url: string | null, icon: IconState | undefined): IconProblem | undefined {
  if (url === null) return { short: 'none', long: 'the point has no icon URL' };
  if (icon === undefined) return undefined;
  switch (icon.state) {
    case 'loaded':
      return undefined;
    case 'failed':
      if (icon.status !== null) return { short: String(icon.status), long: `${url} returned ${icon.status}` };
      return {
        short: 'no icon',
        long: icon.problem === null ? `couldn’t load ${url}` : `couldn’t load ${url}: ${icon.problem}`,
      };
    case 'notImage':
      return {
        short: String(icon.status),
        long:
          icon.contentType === null
            ? `${url} returned ${icon.status}, but not an image (no Content-Type)`
            : `${url} returned ${icon.status}, but not an image (${icon.contentType})`,
      };
    case 'broken':
      return { short: 'broken', long: `${url} returned an image that can’t be displayed` };
    case 'otherOrigin':
      return {
        short: 'blocked',
        long: `${url} not loaded: it is on another host. Icons load only from ${icon.allowedOrigin}`,
      };
    case 'tooDetailed':
      return { short: 'no icon', long: `${url} not shown: drawing it would take too long` };
    case 'tooMany':
      return { short: 'no icon', long: `${url} not loaded: too many different icons` };
  }
}
