// The line to core: over the MessagePort that Electron's preload passes, or over the headless host's WebSocket. The client
// stays the same object while sockets come and go; a lost socket is tried again with growing pauses.
import { createORPCClient } from '@orpc/client';
import type { ClientLink } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import type { LinkState } from '#renderer/features/frame/frame-slice.ts';

type Context = Record<never, never>;
type Link = ClientLink<Context>;

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
const sessionOver = 'Rainbell was restarted. Open the new URL from the terminal.';

export function connect(page: Window): Connection {
  let link: Link | undefined;
  let state: LinkState = { state: 'connecting' };
  let onState: (state: LinkState) => void = () => undefined;
  let opened: () => void = () => undefined;
  const firstOpen = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const tell = (next: LinkState, nextLink?: Link) => {
    state = next;
    link = nextLink;
    if (next.state !== 'connecting') opened();
    onState(next);
  };
  const client: AppClient = createORPCClient<AppClient>({
    async call(path, input, options) {
      if (state.state === 'connecting') await firstOpen;
      if (!link) throw new LinkLostError();
      return link.call(path, input, options);
    },
  });
  const retry = isElectron(page) ? openPort(page, tell) : openSocket(page, tell);
  return {
    client,
    watch(listener) {
      onState = listener;
      listener(state);
    },
    retryNow: retry,
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
  let ticketProblem: string | undefined;
  const address = new URL('/rpc', page.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const open = () => {
    clearTimeout(timer);
    const socket = new WebSocket(address);
    const giveUp = setTimeout(() => socket.close(), openLimitMs);
    let wasOpen = false;
    socket.addEventListener('open', () => {
      clearTimeout(giveUp);
      wasOpen = true;
      ticketProblem = undefined;
      pauseMs = firstPauseMs;
      tell({ state: 'connected' }, new SocketLink({ websocket: lenient(socket) }));
    });
    socket.addEventListener('close', () => {
      clearTimeout(giveUp);
      if (!wasOpen) pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      tell({ state: 'lost', retryAt: Date.now() + pauseMs });
      timer = setTimeout(open, pauseMs);
      if (!wasOpen) void explainRefusal();
    });
  };
  /** A host that refuses the session does not know this window: only its newest address helps. */
  const explainRefusal = async () => {
    const response = await fetch('/session', { cache: 'no-store' }).catch(() => undefined);
    if (response?.status !== 403) return;
    clearTimeout(timer);
    tell({ state: 'failed', message: ticketProblem ?? sessionOver });
  };
  void tradeTicket(page).then((problem) => {
    ticketProblem = problem;
    open();
  });
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

/** Exchanges the ticket in the address for the session's cookie (headless host only); returns an error message, if any. */
async function tradeTicket(page: Window): Promise<string | undefined> {
  // A link may follow: `#ticket=…&/callbacks/21079`.
  const [, ticket, link] = /^#ticket=([^&]+)(?:&(\/.*))?$/s.exec(page.location.hash) ?? [];
  if (ticket === undefined) return undefined;
  const hash = link === undefined ? '' : `#${link}`;
  page.history.replaceState(null, '', page.location.pathname + page.location.search + hash);
  const response = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  }).catch(() => undefined);
  if (response?.ok) return undefined;
  if (!response) return 'The app didn’t respond. Restart it and open the URL that it prints.';
  return 'This URL has already been used or has expired. Open the latest URL that the app printed, or start the app again.';
}
