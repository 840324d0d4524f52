// `rainbell listen` in a terminal: keys choose a callback, show its details, send it again, and copy it.
import type { Callback, CallbackSummary } from '@rainbell/contract/app-rpc';
import type { Output } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Dependencies = {
  terminal: Terminal;
  output: Output;
  get: (id: number) => Promise<Callback | undefined>;
  /** Prints its line, and its headers and body if `isWhole`. */
  print: (callback: Callback, isWhole: boolean) => void;
  resend: (callback: Callback) => Promise<void>;
  quit: () => void;
};

const help = 'Keys: ↑ and ↓ choose a callback, Enter shows its details, r replays it, c copies its body, q quits';
const maxChosen = 1_000;
/** More is not taken by xterm's clipboard. */
const maxCopied = 70_000;

export function openListenKeys({ terminal, output, get, print, resend, quit }: Dependencies) {
  const ids: number[] = [];
  /** Undefined: the newest, whichever that is. */
  let chosenId: number | undefined;
  let isSending = false;

  async function chosen(): Promise<Callback | undefined> {
    const id = chosenId ?? ids.at(-1);
    const callback = id === undefined ? undefined : await get(id);
    if (!callback) output.info(id === undefined ? 'No callbacks yet' : `Callback ${id} was deleted.`);
    return callback;
  }

  async function move(by: number): Promise<void> {
    const from = chosenId === undefined ? ids.length - 1 : ids.indexOf(chosenId);
    chosenId = ids[Math.min(ids.length - 1, Math.max(0, from + by))];
    const callback = await chosen();
    if (callback) print(callback, false);
  }

  async function sendAgain(): Promise<void> {
    const callback = isSending ? undefined : await chosen();
    if (!callback) return;
    isSending = true;
    await resend(callback);
    isSending = false;
  }

  function copy({ id, bodyBase64 }: Callback): void {
    const body = Buffer.from(bodyBase64, 'base64');
    if (body.length > maxCopied) {
      output.info(`The body of callback ${id} is larger than ${maxCopied / 1000} kB. Use rainbell export to get it.`);
      return;
    }
    terminal.copy(body.toString('utf8'));
    output.info(`Copied the body of callback ${id}, if the terminal allows that (OSC 52)`);
  }

  async function show(copies: boolean): Promise<void> {
    const callback = await chosen();
    if (callback && copies) copy(callback);
    else if (callback) print(callback, true);
  }

  const close = terminal.listen((key) => {
    if (key === 'q') quit();
    else if (key === 'up' || key === 'k') void move(-1);
    else if (key === 'down' || key === 'j') void move(1);
    else if (key === 'r') void sendAgain();
    else if (key === '?' || key === 'h') output.info(help);
    else if (key === 'return' || key === 'c') void show(key === 'c');
  });
  output.info(help);
  return {
    add({ id }: CallbackSummary) {
      ids.push(id);
      if (ids.length > maxChosen) ids.shift();
    },
    close,
  };
}
