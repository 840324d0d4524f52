// Who may use the headless host (docs: architecture, "Security of the headless host").
//
// The agreement with the page (renderer/app/connect.ts):
// 1. The host prints `http://127.0.0.1:PORT/#ticket=TICKET`. A ticket works once, within 2 minutes. A link follows the ticket:
//    `#ticket=TICKET&/callbacks/21079`.
// 2. The page opens the WebSocket `ws://127.0.0.1:PORT/rpc`, which needs the page's own Origin, and first sends `{"ticket": "…"}`, or
//    `{"session": "…"}` after a reload and in another tab. The host answers `{"session": "…"}`, or closes the socket with a code below.
// 3. The page keeps the session in localStorage, which belongs to one port; a cookie would be sent to every port of 127.0.0.1.
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@rainbell/shared';

/** `4401`: the ticket or session is unknown, used, or expired. `4403`: another user of this machine sent it. */
export const refusedCodes = { unknown: 4401, otherUser: 4403 } as const;

export type Sessions = ReturnType<typeof createSessions>;

export const ticketSeconds = 120;
/** Old sessions make room beyond so many; each is one browser that was let in. */
const maxSessions = 1000;
const maxTickets = 100;

export function createSessions(clock: Clock) {
  // By hash, so that the time of a comparison reveals nothing about the text.
  const tickets = new Map<string, number>();
  const sessions = new Set<string>();

  return {
    /** A new ticket; those given before stay valid until they expire. */
    issueTicket() {
      const ticket = randomText();
      tickets.set(hash(ticket), clock.elapsed() + ticketSeconds * 1000);
      trim(tickets, maxTickets);
      return ticket;
    },
    /** A new session, or undefined if the ticket is unknown, used, or expired. */
    redeem(ticket: string): string | undefined {
      const key = hash(ticket);
      const expiresAt = tickets.get(key);
      tickets.delete(key);
      if (expiresAt === undefined || clock.elapsed() >= expiresAt) return undefined;
      const value = randomText();
      sessions.add(hash(value));
      trim(sessions, maxSessions);
      return value;
    },
    isSession: (value: string): boolean => sessions.has(hash(value)),
  };
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function trim(entries: Map<string, number> | Set<string>, limit: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) return;
    entries.delete(oldest);
  }
}
