// Syncs the address bar and the history of the window. The store has the state; each change updates the hash, which is read only if
// something else changed it: at the start, by Back and Forward, and by a link.
// Each screen declares what its links contain (store/screen-link.ts).
import { offerConnection } from '../features/connections/offer-connection.ts';
import type { AppState, AppStore, LinkOrigin, Screen, ScreenLink } from '../store/app-state.ts';
import { type Address, formatHash, parseHash } from '../store/screen-link.ts';
import { features } from './app-store.ts';

const screens = features.flatMap(({ screen }) => screen ?? []);
const screenLinks = Object.fromEntries(screens.map(({ name, link }) => [name, link])) as Record<Screen, ScreenLink>;

/** Entries of the history that this module wrote have this state; a link from elsewhere has none. */
const ownEntry = { rainbell: true };
/** Names the connection of a link; see `features/frame/Frame.tsx`. */
const connectionParameter = 'via';
/** A cursor moves faster than browsers let a page change its address. */
const replacePauseMs = 250;
/** What these keys select is passed by, so it replaces the entry before. */
const walkingKeys = /^(?:Arrow|Page|Home$|End$)/;
const maxProblems = 3;

export function syncAddress(store: AppStore, page: Window): void {
  const { history, location } = page;
  let shown = addressOf(store.getState());
  /** The hash that was read or written last. */
  let known = location.hash;
  let isWalking = false;
  /** Until a link is applied completely, the address is not written. */
  let isOpening = false;
  let pause: ReturnType<typeof setTimeout> | undefined;

  function write(isStep: boolean): void {
    clearTimeout(pause);
    pause = undefined;
    // A link or a step of the history whose event is still to come must not be overwritten.
    if (location.hash !== known) return;
    const hash = formatHash(shown);
    if (hash === location.hash && isOwn()) return;
    if (isStep) history.pushState(ownEntry, '', hash);
    else history.replaceState(ownEntry, '', hash);
    known = location.hash;
  }

  function follow(state: AppState): void {
    const next = addressOf(state);
    if (isOpening || formatHash(next) === formatHash(shown)) return;
    const isOtherScreen = next.screen !== shown.screen;
    const isStep = isOtherScreen || (!isWalking && screenLinks[next.screen].isStep(shown, next));
    // Save the position in the entry that is left.
    if (isStep && pause !== undefined) write(false);
    shown = next;
    if (isStep) write(true);
    else pause ??= setTimeout(() => write(false), replacePauseMs);
  }

  function open(origin: LinkOrigin): void {
    known = location.hash;
    isOpening = true;
    try {
      openHash(store, known, origin);
    } finally {
      isOpening = false;
      shown = addressOf(store.getState());
      write(false);
    }
  }

  function isOwn(): boolean {
    return (history.state as { rainbell?: unknown } | null)?.rainbell === true;
  }

  open('load');
  page.addEventListener('hashchange', () => open(isOwn() ? 'history' : 'link'));
  store.subscribe(follow);
  // Before anything acts on them; what is still to be written belongs to the entry that the user may leave now.
  const notice = (walks: boolean) => {
    isWalking = walks;
    if (pause !== undefined && !walks) write(false);
  };
  page.addEventListener('keydown', ({ key }) => notice(walkingKeys.test(key)), { capture: true });
  page.addEventListener('pointerdown', () => notice(false), { capture: true });
}

function addressOf(state: AppState): Address {
  const { screen } = state.frame;
  return { screen, ...screenLinks[screen].format(state) };
}

function openHash(store: AppStore, hash: string, origin: LinkOrigin): void {
  const { frame, toasts } = store.getState();
  if (hash === '' || hash === '#') return;
  const address = parseHash(hash, screens);
  if (address === undefined) {
    toasts.show({ tone: 'bad', message: 'The link doesn’t lead to a Rainbell screen.' });
    return;
  }
  const { screen, item, query } = address;
  frame.goTo(screen);
  const connectionId = query.get(connectionParameter);
  query.delete(connectionParameter);
  if (connectionId !== null && origin !== 'history') void offerConnection(store, connectionId);
  // A bare link such as `#/callbacks` from a menu leads to the screen as it was left.
  if (origin === 'link' && item === null && query.size === 0) return;
  const problems = screenLinks[screen].open(store.getState(), { item, query }, origin);
  if (problems.length > 0) toasts.show({ tone: 'bad', message: formatProblems(problems) });
}

function formatProblems(problems: readonly string[]): string {
  const shown = problems.slice(0, maxProblems).join(' ');
  const rest = problems.length - maxProblems;
  return rest > 0
    ? `Part of the link was ignored: ${shown} And ${rest} more.`
    : `Part of the link was ignored: ${shown}`;
}
