// Some receivers send `100 Continue` unexpectedly. RFC 9110 section 15.2 requires clients to accept that; undici destroys the
// connection instead, so the event would be sent again. The bytes are dropped before undici reads them.
import type { Socket } from 'node:net';

const start = 'HTTP/1.1 100';
/** Leaves a longer interim head to undici, which rejects it. */
const maxHeadBytes = 4_096;

/** Drops `100 Continue` heads from a connection's input. */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let begun: Buffer | undefined;
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null) return null;
      const data = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
      begun = undefined;
      const rest = withoutContinue(data);
      if (rest === 'incomplete') begun = data;
      else if (rest.length > 0) return rest;
    }
  };
}

function withoutContinue(data: Buffer): Buffer | 'incomplete' {
  let rest = data;
  // Fast path: nearly every chunk starts differently.
  while (rest.length > 0 && start.startsWith(rest.toString('latin1', 0, start.length))) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return rest.length < maxHeadBytes ? 'incomplete' : rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}
