import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import { linkCodec } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { HandlerButton } from './HandlerButton.tsx';
import { createHandlerSlice } from './handler-slice.ts';

const slices = { handler: createHandlerSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

/** "Develop a handler": what `rainbell dev` does, as a screen. */
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
