// The app's state around the screens: the link to core, its status, and the stream of notices that says what to read again.
// On every new link everything is read again, so nothing that happened in between is missed.
import type { AppStatus, Notice } from '@rainbell/contract/app-rpc';
import { oneAtATime } from '../../store/one-at-a-time.ts';
import { type Failure, idle, type Request, runRequest, toFailure } from '../../store/request.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';
import type { Screen } from '../../store/screens.ts';

/** The window's link to the app's core. `failed` is final: the page must be opened again. */
export type LinkState =
  | { state: 'connecting' }
  | { state: 'connected' }
  | { state: 'lost'; retryAt: number }
  | { state: 'failed'; message: string };

export type FrameSlice = FrameActions & {
  screen: Screen;
  link: LinkState;
  status: AppStatus | null;
  statusRequest: Request;
  moving: Request;
  updateCheck: Request;
  isPaletteOpen: boolean;
  /** What is typed in the palette, even while it is still loading. */
  paletteText: string;
  /** Enter was pressed before the palette was there to take it. */
  isPaletteEntered: boolean;
  /** Grows when another connection becomes the active one. */
  connectionChanges: number;
  /** The section of a screen that a link opened; the screen scrolls to it. */
  sections: Readonly<Partial<Record<Screen, string>>>;
  goTo(screen: Screen): void;
  openSection(screen: Screen, section: string | null): void;
  setLink(link: LinkState): void;
  loadStatus(): Promise<void>;
  openPalette(isPaletteOpen: boolean): void;
  typeInPalette(paletteText: string): void;
  /** Takes a key that was pressed before the palette's field had the focus; returns whether it means something there. */
  typeAhead(key: string): boolean;
  /** Follows the notices until the link breaks or `signal` aborts. */
  follow(onNotice: (notice: Notice) => void, signal: AbortSignal): Promise<void>;
};

export type FrameActions = {
  /** Hides a damage report for good. */
  acknowledgeDamage(id: string): Promise<Failure | undefined>;
  /** Ends the app and starts it again, if its host can. */
  restart(): Promise<Failure | undefined>;
  moveReceiver(port: number): Promise<boolean>;
  /** Looks for a newer version of the app; the status then says what was found. */
  checkForUpdate(): Promise<void>;
};

export function createFrameSlice(tools: SliceTools<FrameSlice>): Slice<FrameSlice> {
  const { client, read, change } = tools;
  return {
    onConnectionChange: { does: 'keep', because: 'it is the state of the app, whose status is reloaded immediately' },
    screen: 'forecast',
    link: { state: 'connecting' },
    status: null,
    statusRequest: idle,
    moving: idle,
    updateCheck: idle,
    isPaletteOpen: false,
    paletteText: '',
    isPaletteEntered: false,
    connectionChanges: 0,
    sections: {},
    goTo: (screen) => change({ screen }),
    openSection(screen, section) {
      const { [screen]: _former, ...others } = read().sections;
      change({ sections: section === null ? others : { ...others, [screen]: section } });
    },
    setLink: (link) => change({ link }),
    openPalette: (isPaletteOpen) => change({ isPaletteOpen, paletteText: '', isPaletteEntered: false }),
    typeInPalette: (paletteText) => change({ paletteText }),
    typeAhead(key) {
      const { paletteText } = read();
      if (key === 'Enter') change({ isPaletteEntered: true });
      else if (key === 'Escape') read().openPalette(false);
      else if (key === 'Backspace') change({ paletteText: paletteText.slice(0, -1) });
      else if (/^.$/u.test(key)) change({ paletteText: paletteText + key });
      else return false;
      return true;
    },
    loadStatus: oneAtATime(async () => {
      const status = await runRequest(
        (statusRequest) => change({ statusRequest }),
        () => client.app.status(),
      );
      if (status) change({ status });
    }),
    async follow(onNotice, signal) {
      for await (const notice of await client.app.notices(undefined, { signal })) onNotice(notice);
    },
    ...createFrameActions(tools),
  };
}

function createFrameActions({ client, read, change }: SliceTools<FrameSlice>): FrameActions {
  return {
    async acknowledgeDamage(id) {
      try {
        await client.app.acknowledgeDamage({ id });
        return undefined;
      } catch (error) {
        const failure = toFailure(error);
        // Another window hid it; the new status shows what is left.
        return failure.code === 'NOT_FOUND' ? undefined : failure;
      } finally {
        void read().loadStatus();
      }
    },
    async restart() {
      try {
        await client.app.restart();
        return undefined;
      } catch (error) {
        const failure = toFailure(error);
        // The app may be gone before its response arrives.
        return failure.code === 'LINK_LOST' ? undefined : failure;
      }
    },
    async moveReceiver(port) {
      const moved = await runRequest(
        (moving) => change({ moving }),
        () => client.app.moveReceiver({ port }),
      );
      void read().loadStatus();
      return moved !== undefined;
    },
    checkForUpdate: oneAtATime(async () => {
      await runRequest(
        (updateCheck) => change({ updateCheck }),
        () => client.updates.check(),
      );
      await read().loadStatus();
    }),
  };
}
