// Keys and the clipboard of a terminal, for a command that a user watches. Scripts, pipes, and CI have none.
import { emitKeypressEvents } from 'node:readline';
import type { ReadStream } from 'node:tty';

export type Terminal = {
  /** Calls `onKey` with `up`, `down`, `return`, or the letter, until the returned function is called. */
  listen: (onKey: (key: string) => void) => () => void;
  /** Puts a text on the clipboard of the terminal, if it allows that. */
  copy: (text: string) => void;
};

type Key = { name?: string; sequence?: string; ctrl?: boolean };

/** Undefined unless a user sits at both ends. `interrupt`: what Ctrl+C does, which is a key like any other here. */
export function openTerminal(
  input: NodeJS.ReadableStream,
  output: NodeJS.WriteStream,
  interrupt: () => void,
): Terminal | undefined {
  const keyboard = input as ReadStream;
  if (!keyboard.isTTY || !output.isTTY) return undefined;
  return {
    listen(onKey) {
      const onPress = (text: string | undefined, { name, sequence, ctrl = false }: Key) => {
        if (ctrl && name === 'c') interrupt();
        else if (!ctrl) onKey(name === 'up' || name === 'down' || name === 'return' ? name : (text ?? sequence ?? ''));
      };
      emitKeypressEvents(keyboard);
      keyboard.setRawMode(true);
      keyboard.on('keypress', onPress);
      keyboard.resume();
      return () => {
        keyboard.off('keypress', onPress);
        keyboard.setRawMode(false);
        keyboard.pause();
      };
    },
    // https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, OSC 52
    copy: (text) => void output.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`),
  };
}
