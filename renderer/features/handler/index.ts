import { lazy } from 'react';
import type { AppClient, Callback, HandlerSession } from '@rainbell/contract/app-rpc';
import type { Feature } from '../../store/app-state.ts';
import { linkCodec } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import { oneAtATime } from '../../store/one-at-a-time.ts';
import { idle } from '../../store/request.ts';
import type { SlicesOf, SliceTools } from '../../store/slice.ts';
import { HandlerButton } from './HandlerButton.tsx';

interface HandlerSlice extends ReturnType<typeof createHandlerSlice> {}

type HandlerWanted = Parameters<AppClient['handler']['start']>[0];

/** The loop that fixes a handler runs in core: the screen shows its state and starts its tasks. */
function createHandlerSlice({ client, change, read, run, succeeds }: SliceTools<HandlerSlice>) {
  /** Whether it succeeded. */
  const attempt = (task: () => Promise<unknown>): Promise<boolean> => succeeds('request', task);
  const readState = async () => {
    const { session } = await client.handler.state();
    const isOther = session?.id !== read().session?.id;
    if (isOther) change({ secret: undefined, chosenId: null, shown: null });
    change({ session });
    const newest = session?.entries.findLast((entry) => entry.kind === 'relayed');
    const id = read().chosenId ?? newest?.callbackId;
    if (id !== undefined) await show(id);
  };
  const load = oneAtATime((): Promise<void> => run('loading', readState));
  /** Stays as it is if the callback was deleted. */
  const show = async (id: number) => {
    const shown = await client.callbacks.get({ id }).catch(() => undefined);
    if (shown) change({ shown });
  };
  return {
    onConnectionChange: { does: 'keep', because: 'the loop runs in the app until it is stopped' } as const,
    /** Null if none runs, undefined before it is known. */
    session: undefined as HandlerSession | null | undefined,
    /** The sandbox's, once it is to be shown; null if there is none. */
    secret: undefined as string | null | undefined,
    senders: [] as readonly { id: string; name: string }[],
    /** By the user; null for the newest. */
    chosenId: null as number | null,
    shown: null as Callback | null,
    /** The last task. */
    request: idle,
    loading: idle,
    load,
    loadSenders: (): Promise<void> =>
      run('loading', async () => change({ senders: (await client.callbacks.endpoints()).senders })),
    /** The newest one is followed by the next. */
    async choose(id: number): Promise<void> {
      const newest = read().session?.entries.findLast((entry) => entry.kind === 'relayed');
      change({ chosenId: id === newest?.callbackId ? null : id });
      await show(id);
    },
    start: (wanted: HandlerWanted): Promise<boolean> =>
      attempt(async () => {
        await client.handler.start(wanted);
        await load();
      }),
    stop: (): Promise<boolean> =>
      attempt(async () => {
        await client.handler.stop();
        await load();
      }),
    check: (): Promise<boolean> => attempt(() => client.handler.check()),
    sendEvent: (): Promise<boolean> => attempt(() => client.handler.sendEvent()),
    rain: (): Promise<boolean> => attempt(() => client.handler.rain()),
    /** Signed afresh, with a new ID; null for its own body. */
    replay: (callbackId: number, bodyBase64: string | null): Promise<boolean> =>
      attempt(() => client.handler.replay({ callbackId, bodyBase64 })),
    showSecret: (): Promise<boolean> =>
      attempt(async () => change({ secret: (await client.sandbox.webhookSecret()).secret })),
  };
}

const slices = { handler: createHandlerSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const handler: Feature = {
  slices,
  screen: {
    name: 'handler',
    title: 'Develop a handler',
    View: lazy(async () => ({ default: (await import('./HandlerScreen.tsx')).HandlerScreen })),
    link: screenLink({ codec: linkCodec({}), read: () => ({}), open: () => {} }),
  },
  parts: { 'receiver bar': HandlerButton },
  notices: { handler: (store) => void store.getState().handler.load() },
};
