// The app's state around the screens: the link to core, its status, and the stream of notices that says what to read again.
// On every new link everything is read again, so nothing that happened in between is missed.
import type { AppStatus, Notice } from '@rainbell/contract/app-rpc';
import { oneAtATime } from './one-at-a-time.ts';
import { type Failure, idle, outcomeOf } from './request.ts';
import type { SliceTools } from './slice.ts';
import type { Screen } from './app-state.ts';

/** The window's link to the app's core. `failed` is final: the page must be opened again. */
export type LinkState =
  | { state: 'connecting' }
  | { state: 'connected' }
  | { state: 'lost'; retryAt: number }
  | { state: 'failed'; message: string };

export interface FrameSlice extends ReturnType<typeof createFrameSlice> {}

export function createFrameSlice({ client, read, change, run, succeeds }: SliceTools<FrameSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'it is the state of the app, whose status is read again' } as const,
    screen: 'forecast' as Screen,
    link: { state: 'connecting' } as LinkState,
    status: null as AppStatus | null,
    statusRequest: idle,
    moving: idle,
    updateCheck: idle,
    isPaletteOpen: false,
    /** What is typed in the palette, even while it is still loading. */
    paletteText: '',
    /** Enter was pressed before the palette had the list of the text. */
    isPaletteEntered: false,
    /** Grows when another connection becomes the active one. */
    connectionChanges: 0,
    /** The section of a screen that a link opened; the screen scrolls to it. */
    sections: {} as Readonly<Partial<Record<Screen, string>>>,
    goTo: (screen: Screen): void => change({ screen }),
    openSection(screen: Screen, section: string | null): void {
      const { [screen]: _former, ...others } = read().sections;
      change({ sections: section === null ? others : { ...others, [screen]: section } });
    },
    setLink: (link: LinkState): void => change({ link }),
    openPalette: (isPaletteOpen: boolean): void => change({ isPaletteOpen, paletteText: '', isPaletteEntered: false }),
    typeInPalette: (paletteText: string): void => change({ paletteText, isPaletteEntered: false }),
    /** Takes a key that was pressed before the palette could; returns whether it means something there. */
    typeAhead(key: string): boolean {
      const { paletteText } = read();
      if (key === 'Enter') change({ isPaletteEntered: true });
      else if (key === 'Escape') read().openPalette(false);
      // Of another text, Enter would run something else.
      else if (read().isPaletteEntered) return true;
      else if (key === 'Backspace') change({ paletteText: paletteText.slice(0, -1) });
      else if (/^.$/u.test(key)) change({ paletteText: paletteText + key });
      else return false;
      return true;
    },
    loadStatus: oneAtATime((): Promise<void> =>
      run('statusRequest', async () => change({ status: await client.app.status() })),
    ),
    /** Follows the notices until the link breaks or `signal` aborts. */
    async follow(onNotice: (notice: Notice) => void, signal: AbortSignal): Promise<void> {
      for await (const notice of await client.app.notices(undefined, { signal })) onNotice(notice);
    },
    /** Hides a damage report for good. */
    async acknowledgeDamage(id: string): Promise<Failure | undefined> {
      const { failure } = await outcomeOf(() => client.app.acknowledgeDamage({ id }));
      void read().loadStatus();
      // Another window hid it; the new status shows what is left.
      return failure?.code === 'NOT_FOUND' ? undefined : failure;
    },
    /** Ends the app and starts it again, if its host can. */
    async restart(): Promise<Failure | undefined> {
      const { failure } = await outcomeOf(() => client.app.restart());
      // The app may be gone before its response arrives.
      return failure?.code === 'LINK_LOST' ? undefined : failure;
    },
    async moveReceiver(port: number): Promise<boolean> {
      const isMoved = await succeeds('moving', () => client.app.moveReceiver({ port }));
      void read().loadStatus();
      return isMoved;
    },
    /** Looks for a newer version of the app; the status then says what was found. */
    checkForUpdate: oneAtATime(async (): Promise<void> => {
      await run('updateCheck', () => client.updates.check());
      await read().loadStatus();
    }),
  };
}
