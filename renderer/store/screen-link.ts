// A screen's link: which of its state a link has, and how an opened link becomes state again. The store is the state; the
// address bar only shows it (renderer/app/sync-address.ts). A link never triggers an action: `open` may select, search, and
// load, and nothing else.
import type { AppState, LinkOrigin, Screen, ScreenLink } from './app-state.ts';
import { choiceField, linkCodec, type LinkCodec, type LinkParts } from './link-codec.ts';

type Definition<T extends object> = {
  codec: LinkCodec<T>;
  read: (state: AppState) => T;
  open: (state: AppState, value: T, origin: LinkOrigin) => void;
  isStep?: (before: T, after: T) => boolean;
};

/** Without `isStep`, another item is a step, and everything else is not. */
export function screenLink<T extends object>({ codec, read, open, isStep }: Definition<T>): ScreenLink {
  return {
    codec,
    format: (state) => codec.format(read(state)),
    open(state, parts, origin) {
      const { value, problems } = codec.parse(parts);
      open(state, value, origin);
      return problems;
    },
    isStep: (before, after) =>
      isStep ? isStep(codec.parse(before).value, codec.parse(after).value) : before.item !== after.item,
  };
}

/** Of a screen of cards, which mark themselves with `data-section`; the item names the card to scroll to. */
export function sectionLink<Section extends string>(screen: Screen, sections: readonly Section[]): ScreenLink {
  return screenLink({
    codec: linkCodec({ item: choiceField(sections, null) }),
    read: ({ frame }) => ({ item: sectionIn(frame.sections[screen], sections) }),
    open: ({ frame }, { item }) => frame.openSection(screen, item),
  });
}

/** Returns the section if it is one of these, otherwise null. */
export function sectionIn<T extends string>(section: string | undefined, sections: readonly T[]): T | null {
  return sections.find((one) => one === section) ?? null;
}

export type Address = LinkParts & { screen: Screen };

/** Longer ones are not read. The longest search, each character as nine, fits. */
export const addressLimit = 20_000;
const shape = /^#\/([a-z]{1,20})(?:\/([^?]*?))?\/?(?:\?(.*))?$/s;

/** Returns undefined if the hash names none of the screens. */
export function parseHash(hash: string, screens: readonly { name: Screen }[]): Address | undefined {
  if (hash.length > addressLimit) return undefined;
  const [, name, item = '', query = ''] = shape.exec(hash) ?? [];
  const screen = screens.find((one) => one.name === name)?.name;
  if (screen === undefined) return undefined;
  return { screen, item: item === '' ? null : decode(item), query: new URLSearchParams(query) };
}

export function formatHash({ screen, item, query }: Address): string {
  const text = [...query].map(([name, value]) => `${name}=${encode(value)}`).join('&');
  return `#/${screen}${item === null ? '' : `/${encode(item)}`}${text === '' ? '' : `?${text}`}`;
}

/** Leaves what is clear to read and has no meaning in a query or a path segment. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|2C|3B|40)/g, decodeURIComponent);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
