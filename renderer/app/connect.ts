// The line to core: over the MessagePort that Electron's preload passes, or over the headless host's WebSocket. The client
// stays the same object while sockets come and go; a lost socket is tried again with growing pauses.
import { type ClientLink, createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { AppClient } from '@rainbell/contract/app-rpc';
import type { LinkState } from '../store/frame-slice.ts';
import { readSaved, save } from '../ui/window-storage.ts';

type Link = ClientLink<Record<never, never>>;

export type Connection = {
  client: AppClient;
  /** Reports the current state at once, then every change. */
  watch(onState: (state: LinkState) => void): void;
  /** Tries again now instead of at the end of the pause. */
  retryNow(): void;
};

/** Thrown by calls while there is no line to core. */
class LinkLostError extends Error {
  readonly code = 'LINK_LOST';
  constructor() {
    super('The connection to the app was lost. Reconnecting; try again in a moment.');
  }
}

const firstPauseMs = 500;
const maxPauseMs = 10_000;
const openLimitMs = 10_000;
const sessionOver =
  'This page isn’t signed in, because Rainbell was restarted or it never was. Open the URL from the terminal.';
const ticketUsed =
  'This URL has already been used or has expired. Open the latest URL that the app printed, or start the app again.';
const otherUser = 'Another user of this computer started Rainbell. Only that user can open it.';
/** As in headless/session.ts. */
const refusedCodes = { unknown: 4401, otherUser: 4403 };

const sessionKey = 'rainbell-session';

export function connect(page: Window): Connection {
  let link: Link | undefined;
  let state: LinkState = { state: 'connecting' };
  let onState: (state: LinkState) => void = () => undefined;
  const firstOpen = Promise.withResolvers<void>();
  const tell = (next: LinkState, nextLink?: Link) => {
    state = next;
    link = nextLink;
    if (next.state !== 'connecting') firstOpen.resolve();
    onState(next);
  };
  const client: AppClient = createORPCClient<AppClient>({
    async call(path, input, options) {
      if (state.state === 'connecting') await firstOpen.promise;
      if (!link) throw new LinkLostError();
      return link.call(path, input, options);
    },
  });
  return {
    client,
    watch(listener) {
      onState = listener;
      listener(state);
    },
    retryNow: isElectron(page) ? openPort(page, tell) : openSocket(page, tell),
  };
}

type Tell = (state: LinkState, link?: Link) => void;

/**
 * Electron serves the window from `app://rainbell/`; every other page is from a headless host, whose name is an address. The host
 * decides, not the scheme, because Chromium in tests can't have a custom scheme.
 */
function isElectron(page: Window): boolean {
  return page.location.hostname === 'rainbell';
}

function openPort(page: Window, tell: Tell): () => void {
  page.addEventListener('message', (event: MessageEvent<unknown>) => {
    const port = event.ports[0];
    if (event.data !== 'rainbell-port' || event.source !== page || !port) return;
    port.start();
    tell({ state: 'connected' }, new PortLink({ port }));
  });
  return () => undefined;
}

function openSocket(page: Window, tell: Tell): () => void {
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ticket = takeTicket(page);
  let ticketProblem: string | undefined;
  let isOpen = false;
  // For a reload and for other tabs, which may have a newer one; a browser that stores nothing has it until then.
  let session = '';
  const address = new URL('/rpc', page.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const open = () => {
    clearTimeout(timer);
    const socket = new WebSocket(address);
    const giveUp = setTimeout(() => socket.close(), openLimitMs);
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify(ticket === undefined ? { session: readSaved(sessionKey) ?? session } : { ticket }));
    });
    const admitted = (event: MessageEvent<unknown>) => {
      clearTimeout(giveUp);
      ({ session } = JSON.parse(String(event.data)) as { session: string });
      save(sessionKey, session);
      isOpen = true;
      ticket = undefined;
      ticketProblem = undefined;
      pauseMs = firstPauseMs;
      tell({ state: 'connected' }, new SocketLink({ websocket: lenient(socket) }));
    };
    socket.addEventListener('message', admitted, { once: true });
    socket.addEventListener('close', ({ code }) => {
      clearTimeout(giveUp);
      const wasOpen = isOpen;
      isOpen = false;
      if (code === refusedCodes.otherUser) return tell({ state: 'failed', message: otherUser });
      if (code === refusedCodes.unknown && ticket !== undefined) {
        // This browser may have a session from before.
        [ticket, ticketProblem] = [undefined, ticketUsed];
        return open();
      }
      if (code === refusedCodes.unknown) return tell({ state: 'failed', message: ticketProblem ?? sessionOver });
      if (!wasOpen) pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      tell({ state: 'lost', retryAt: Date.now() + pauseMs });
      timer = setTimeout(open, pauseMs);
      return undefined;
    });
  };
  // The URL that a restarted host prints may differ from this page's only by the hash, so the browser doesn't load it.
  page.addEventListener('hashchange', () => {
    const next = takeTicket(page);
    if (next === undefined) return;
    ticket = next;
    if (!isOpen) open();
  });
  open();
  return open;
}

/**
 * Adapts the socket for oRPC. When the host dies, streams send their end to a closed socket, and oRPC throws an error that can't be
 * caught; such messages are discarded. The socket's `close` ends pending calls.
 */
function lenient(
  socket: WebSocket,
): Pick<WebSocket, 'addEventListener' | 'removeEventListener' | 'send' | 'readyState'> {
  return {
    readyState: WebSocket.OPEN,
    addEventListener: socket.addEventListener.bind(socket),
    removeEventListener: socket.removeEventListener.bind(socket),
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
  };
}

/** Takes the ticket out of the address (headless host only). */
function takeTicket(page: Window): string | undefined {
  // A link may follow: `#ticket=…&/callbacks/21079`.
  const [, ticket, link] = /^#ticket=([^&]+)(?:&(\/.*))?$/s.exec(page.location.hash) ?? [];
  if (ticket === undefined) return undefined;
  const hash = link === undefined ? '' : `#${link}`;
  page.history.replaceState(null, '', page.location.pathname + page.location.search + hash);
  return ticket;
}
