// Everything that requests a window: a second start, a `rainbell://` link, the Dock. Such launches may arrive before Electron is
// ready: a Mac delivers the link that started the app then. While the app quits, they open nothing.
import { app } from 'electron';
import { z } from 'zod';
import { hashOfDeepLink, maxDeepLinkLength } from '@rainbell/core';
import type { ScreenWindows } from '../screens/screen-windows.ts';

/** Electron reorders and extends a second start's command line, so its link is passed separately (docs/api/app.md, `second-instance`). */
export type LaunchData = { deepLink: string | null };

const launchDataSchema = z.object({ deepLink: z.string().max(maxDeepLinkLength).nullable() });

type State =
  | { kind: 'starting'; hash: string | undefined }
  | { kind: 'running'; windows: ScreenWindows }
  | { kind: 'ending' };

export type Launches = ReturnType<typeof followLaunches>;

/** Call it before Electron is ready; a later listener misses the link that started the app. */
export function followLaunches(deepLink: string | undefined) {
  let state: State = { kind: 'starting', hash: hashOf(deepLink) };

  function launch(link: string | null): void {
    if (state.kind === 'running') state.windows.show(hashOf(link ?? undefined));
    else if (state.kind === 'starting') state.hash = hashOf(link ?? undefined) ?? state.hash;
  }

  app.on('second-instance', (_event, _argv, _workingFolder, data) => {
    const passed = launchDataSchema.safeParse(data);
    launch(passed.success ? passed.data.deepLink : null);
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    launch(url);
  });
  // Also emitted at the start, when the first window opens anyway.
  app.on('activate', () => {
    if (state.kind === 'running') state.windows.show();
  });

  return {
    /** Sends launches to these windows from now on. Returns the screen that the first window shows. */
    lead(windows: ScreenWindows): string | undefined {
      const hash = state.kind === 'starting' ? state.hash : undefined;
      if (state.kind === 'starting') state = { kind: 'running', windows };
      return hash;
    },
    end() {
      state = { kind: 'ending' };
    },
  };
}

function hashOf(link: string | undefined): string | undefined {
  return link === undefined ? undefined : hashOfDeepLink(link);
}
