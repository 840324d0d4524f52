// The script that runs in every page before its own, in a real isolated world: Electron's renderer side, as far as a
// sandboxed preload sees it, and the preload itself. It speaks with the main process through one binding that exists in
// that world alone (page-bridge.ts), so the page can neither see nor call it.

/** The world's name, by which Chromium puts the binding into it. */
export const worldName = 'Electron Isolated Context';
export const bindingName = '__electronSend';
export const receiverName = '__electronReceive';

/** What a page's world sends. Posted data are coded, because only text passes. */
export type FromWorld =
  | { kind: 'ipc'; channel: string; args: unknown[] }
  | { kind: 'port'; port: number; data: CodedData }
  | { kind: 'port-closed'; port: number }
  | ({ kind: 'key' } & Key);

export type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean };

export type ToWorld =
  | { kind: 'ipc'; channel: string; args: unknown[]; ports: number[] }
  | { kind: 'port'; port: number; data: CodedData }
  | { kind: 'port-closed'; port: number };

export type CodedData = { value: unknown } | { base64: string };

/** The source to run in each new document; the preload runs in the main frame only, as in Electron. */
export function worldSource(preload: string): string {
  return `(${installWorld.toString()})(${JSON.stringify({ bindingName, receiverName })}, function (require, module, exports) {${preload}\n});`;
}

type Names = { bindingName: string; receiverName: string };
type Preload = (require: (name: string) => unknown, module: { exports: object }, exports: object) => void;

/** Runs in the page: it may use nothing from this file's surroundings. */
function installWorld({ bindingName: binding, receiverName: receiver }: Names, preload: Preload): void {
  if (window.top !== window) return;
  const world = globalThis as unknown as Record<string, (message: unknown) => void>;
  const listeners = new Map<string, Set<(event: object, ...args: unknown[]) => void>>();
  const ports = new Map<number, MessagePort>();
  const send = (message: FromWorld) => world[binding]?.(JSON.stringify(message));

  const code = (data: unknown): CodedData => {
    const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
    return bytes instanceof Uint8Array ? { base64: btoa(String.fromCharCode(...bytes)) } : { value: data };
  };
  const decode = (data: CodedData): unknown =>
    'base64' in data ? Uint8Array.from(atob(data.base64), (letter) => letter.charCodeAt(0)) : data.value;
  const openPort = (port: number): MessagePort => {
    const channel = new MessageChannel();
    ports.set(port, channel.port1);
    channel.port1.addEventListener('message', (event) => send({ kind: 'port', port, data: code(event.data) }));
    channel.port1.addEventListener('close', () => send({ kind: 'port-closed', port }));
    channel.port1.start();
    return channel.port2;
  };

  // The menu gets a key only once the page has left it alone.
  const passOn = ({ defaultPrevented, key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
    defaultPrevented || send({ kind: 'key', key, ctrlKey, metaKey, altKey, shiftKey });
  window.addEventListener('keydown', (event) => setTimeout(() => passOn(event)), { capture: true });

  world[receiver] = (message: unknown) => {
    const came = message as ToWorld;
    if (came.kind === 'port') {
      ports.get(came.port)?.postMessage(decode(came.data));
    } else if (came.kind === 'port-closed') {
      ports.get(came.port)?.close();
    } else {
      const event = { sender: ipcRenderer, ports: came.ports.map(openPort) };
      for (const listener of listeners.get(came.channel) ?? []) listener(event, ...came.args);
    }
  };
  const ipcRenderer = {
    on(channel: string, listener: (event: object, ...args: unknown[]) => void) {
      const known = listeners.get(channel) ?? new Set();
      listeners.set(channel, known.add(listener));
    },
    off: (channel: string, listener: (event: object, ...args: unknown[]) => void) =>
      void listeners.get(channel)?.delete(listener),
    send: (channel: string, ...args: unknown[]) => send({ kind: 'ipc', channel, args }),
    postMessage: (channel: string, message: unknown) => send({ kind: 'ipc', channel, args: [message] }),
  };
  const require = (name: string) => {
    if (name === 'electron') return { ipcRenderer };
    throw new Error(`module not found: ${name}`);
  };
  preload(require, { exports: {} }, {});
}
