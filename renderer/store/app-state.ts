// The one store of the screens as features see it, and what a feature adds to the app. `app/features.ts` lists the features; the
// app loops over the list and knows none of them.
import type { TablerIcon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { Notice } from '@rainbell/contract/app-rpc';
import type { LatLng, MonitorOptions } from '@rainbell/contract/service-api';
import type { CommandId } from '@rainbell/shared';
import type { LinkCodec, LinkParts } from './link-codec.ts';
import type { Request } from './request.ts';
import type { CreateSlice } from './slice.ts';
import type { NewToast } from './toasts-slice.ts';

/**
 * A member per slice. Each feature adds its own by declaration merging; the slices in this folder are everyone's. A feature reads
 * another one's state only by what its `selectors.ts` exports (test/architecture/feature-state.test.ts).
 */
export interface AppState {}

/** Each has a command that opens it (shared/commands/all-commands.ts). */
export type Screen = NameOf<CommandId>;
type NameOf<Id> = Id extends `go.${infer Name}` ? Name : never;

export type AppStore = StoreApi<AppState> & {
  readonly features: readonly Feature[];
  /** Another connection is active: every slice does what it declares; `formerName` names the former connection in messages. */
  changeConnection(formerName: string): void;
};

/** What a slice may use of the others: their state and actions, and toasts, which name the slice's connection. */
export type OtherSlices = { get: () => AppState; show: (toast: NewToast) => number };

/** `load`: the page was opened or reloaded. `history`: Back or Forward. `link`: an address from elsewhere. */
export type LinkOrigin = 'load' | 'history' | 'link';

/** Which of a screen's state a link has, and how an opened link becomes state again. */
export type ScreenLink = {
  codec: LinkCodec<object>;
  format: (state: AppState) => LinkParts;
  /** Applies the link; returns descriptions of the parts that can't be used. */
  open: (state: AppState, parts: LinkParts, origin: LinkOrigin) => readonly string[];
  /** Whether Back should return from `after` to `before`; otherwise `after` takes its place in the history. */
  isStep: (before: LinkParts, after: LinkParts) => boolean;
};

export type ScreenEntry = {
  name: Screen;
  title: string;
  /** Lazy, except the first one. */
  View: ComponentType;
  link: ScreenLink;
  /**
   * Starts over with another connection, because what was typed or selected in it belongs to the former service: a monitor can
   * have the same ID at both.
   */
  isOfService?: true;
  /** Its place in the navigation; help has a button of its own. */
  navigation?: {
    /** From the top. */
    order: number;
    Icon: TablerIcon;
    /** `rest`: under More if the window is narrow. `end`: so, too, and at the end. */
    place?: 'rest' | 'end';
    isShown?: (state: AppState) => boolean;
    count?: (state: AppState) => number;
    /** Whether there are more than `count`. */
    isMore?: (state: AppState) => boolean;
    countForms?: readonly [string, string];
    /** The count asks for attention. */
    isNew?: true;
  };
};

/** Places on the screens that other features fill, with what these get. */
export type Parts = {
  status: object;
  'receiver bar': object;
  'receiver dialog': object;
  'callbacks top': object;
  'monitors top': object;
  'new monitor': { place: LatLng | null; options: MonitorOptions };
  'forecast foot': object;
};

type NoticeOf<Topic extends Notice['topic']> = Extract<Notice, { topic: Topic }>;

export type Feature = {
  slices?: Readonly<Record<string, CreateSlice>>;
  screen?: ScreenEntry;
  /** Lazy. */
  dialogs?: readonly { isOpen: (state: AppState) => boolean; View: ComponentType }[];
  parts?: { readonly [Name in keyof Parts]?: ComponentType<Parts[Name]> };
  /** Commands that run on every screen; those of a screen are offered by its components (`useCommands`). */
  commands?: (store: AppStore) => { readonly [Id in CommandId]?: () => unknown };
  /** Commands that can't run now. */
  isCommandHidden?: (state: AppState, id: CommandId) => boolean;
  /** What it does when core reports a change. */
  notices?: { readonly [Topic in Notice['topic']]?: (store: AppStore, notice: NoticeOf<Topic>) => void };
  /** Reads the app's data again: at the start, and after the link to core was lost. */
  readFromApp?: (state: AppState) => void;
  /** Reads the service's data again: once it is ready, and with another connection. */
  readFromService?: (state: AppState) => void;
  /** Repeats its requests that `isRefused`: they failed for want of the token that there is now. */
  repeatRefused?: (state: AppState, isRefused: (request: Request) => boolean) => void;
  /** After another connection became the active one, and its status is known. */
  afterConnectionChange?: (store: AppStore, former: { name: string; state: AppState }) => void;
  /** After each change of the state. */
  afterChange?: (state: AppState, before: AppState) => void;
  /** Once, when the window opens. */
  start?: (store: AppStore, page: Window) => void;
};
