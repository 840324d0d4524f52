// Requests written byte by byte, for what no HTTP library sends.
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type RawConnection = {
  socket: Socket;
  /** Everything answered until the other side closes. */
  answer: Promise<string>;
};

/** Opens a connection and writes; the connection stays open until the other side or the test ends it. */
export function openRaw(port: number, text: string, host = '127.0.0.1'): RawConnection {
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  const answer = new Promise<string>((resolve) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => resolve(received));
    socket.on('close', () => resolve(received));
  });
  socket.write(Buffer.from(text, 'latin1'));
  return { socket, answer };
}
