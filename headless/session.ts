// Who may use the headless host (docs: architecture, "Security of the headless host").
//
// The agreement with the page (renderer/app/client.ts):
// 1. The host prints `http://127.0.0.1:PORT/#ticket=TICKET`. A ticket works once, within 2 minutes. A link follows the ticket:
//    `#ticket=TICKET&/callbacks/21079`.
// 2. The page reads `#ticket=…` from location.hash, clears the fragment, and sends `POST /session` with
//    `content-type: application/json` and the body `{"ticket": "…"}`.
//    204: the answer sets the cookie. 403: `{"error", "error_description"}`; the description says how to get a new ticket.
//    With a cookie from before, `GET /session` answers 204 (still good) or 403; so a reload needs no ticket.
// 3. The page opens the WebSocket `ws://127.0.0.1:PORT/rpc`, which needs the cookie and the page's own Origin.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#shared/time/clock.ts';

export type Sessions = {
  /** A new ticket; those given before stay valid until they expire. */
  issueTicket: () => string;
  /** The value of a new session's cookie, or undefined if the ticket is unknown, used, or expired. */
  redeem: (ticket: string) => string | undefined;
  /** Whether a `Cookie` header carries a living session. */
  holdsSession: (cookieHeader: string | undefined) => boolean;
  /** The `Set-Cookie` value for a redeemed ticket. */
  setCookie: (value: string) => string;
};

export const ticketSeconds = 120;
/** Old sessions make room beyond so many; each is one browser that was let in. */
const maxSessions = 1000;
const maxTickets = 100;

/** `port` is part of the cookie's name, because browsers share cookies between the ports of one host. */
export function createSessions({ clock, port }: { clock: Clock; port: number }): Sessions {
  const cookieName = `rainbell_${port}`;
  // Stored by hash, so that comparing takes the same time for any input.
  const tickets = new Map<string, number>();
  const sessions = new Set<string>();

  return {
    issueTicket() {
      const ticket = randomText();
      tickets.set(hash(ticket), clock.elapsed() + ticketSeconds * 1000);
      trim(tickets, maxTickets);
      return ticket;
    },
    redeem(ticket) {
      const key = hash(ticket);
      const expiresAt = tickets.get(key);
      tickets.delete(key);
      if (expiresAt === undefined || clock.elapsed() >= expiresAt) return undefined;
      const value = randomText();
      sessions.add(hash(value));
      trim(sessions, maxSessions);
      return value;
    },
    holdsSession(cookieHeader) {
      return cookieValues(cookieHeader, cookieName).some((value) => hasHash(sessions, hash(value)));
    },
    setCookie: (value) => `${cookieName}=${value}; HttpOnly; SameSite=Strict; Path=/`,
  };
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hasHash(hashes: ReadonlySet<string>, wanted: string): boolean {
  const wantedBytes = Buffer.from(wanted);
  return [...hashes].some((known) => timingSafeEqual(Buffer.from(known), wantedBytes));
}

function trim(entries: Map<string, number> | Set<string>, limit: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) return;
    entries.delete(oldest);
  }
}

function cookieValues(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
