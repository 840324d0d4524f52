// The main process's side of the isolated worlds: which frame a message came from, and the ports that travelled into pages.
import type { CDPSession } from 'playwright';
import type { MessagePortMain } from './message-channel.ts';
import {
  bindingName,
  type CodedData,
  type FromWorld,
  type Key,
  receiverName,
  type ToWorld,
  worldName,
} from './preload-world.ts';

export type PageBridge = {
  /** Sends into the isolated world of a frame; a frame without one, or gone, hears nothing. */
  send: (frameId: string, channel: string, args: unknown[], ports: readonly MessagePortMain[]) => void;
};

type Handlers = {
  onIpc: (frameId: string, channel: string, args: unknown[]) => void;
  /** A key that the page has not prevented. */
  onKey: (key: Key) => void;
};

/** Installs the binding; the script itself is added by the page (page-target.ts). */
export async function bridgePage(session: CDPSession, { onIpc, onKey }: Handlers): Promise<PageBridge> {
  const frameOf = new Map<number, string>();
  const contextOf = new Map<string, number>();
  const ports = new Map<number, { port: MessagePortMain; contextId: number }>();
  let lastPort = 0;

  const tell = (contextId: number, message: ToWorld) => {
    const expression = `globalThis.${receiverName}?.(${JSON.stringify(message)})`;
    // The page may be gone by now; then nobody waits for it.
    session.send('Runtime.evaluate', { expression, contextId }).catch(() => {});
  };
  const forget = (contextId: number) => {
    const frameId = frameOf.get(contextId);
    frameOf.delete(contextId);
    if (frameId !== undefined && contextOf.get(frameId) === contextId) contextOf.delete(frameId);
    for (const [id, entry] of ports) {
      if (entry.contextId !== contextId) continue;
      ports.delete(id);
      entry.port.close();
    }
  };
  session.on('Runtime.executionContextCreated', ({ context }) => {
    const { frameId } = context.auxData as { frameId?: string };
    if (context.name !== worldName || frameId === undefined) return;
    frameOf.set(context.id, frameId);
    contextOf.set(frameId, context.id);
  });
  session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => forget(executionContextId));
  session.on('Runtime.executionContextsCleared', () => {
    for (const contextId of Array.from(frameOf.keys())) forget(contextId);
  });
  session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    const frameId = frameOf.get(executionContextId);
    if (name !== bindingName || frameId === undefined) return;
    const message = JSON.parse(payload) as FromWorld;
    if (message.kind === 'key') return onKey(message);
    if (message.kind === 'ipc') return onIpc(frameId, message.channel, message.args);
    const entry = ports.get(message.port);
    if (message.kind === 'port') return entry?.port.postMessage(decode(message.data));
    ports.delete(message.port);
    entry?.port.close();
  });
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: bindingName, executionContextName: worldName });

  /** The port that travels stands for the page's end from now on. */
  const carryPort = (port: MessagePortMain, contextId: number): number => {
    lastPort += 1;
    const id = lastPort;
    port.on('message', ({ data }: { data: unknown }) => tell(contextId, { kind: 'port', port: id, data: code(data) }));
    port.on('close', () => tell(contextId, { kind: 'port-closed', port: id }));
    port.start();
    ports.set(id, { port, contextId });
    return id;
  };
  return {
    send(frameId, channel, args, travelling) {
      const contextId = contextOf.get(frameId);
      if (contextId === undefined) return;
      tell(contextId, { kind: 'ipc', channel, args, ports: travelling.map((port) => carryPort(port, contextId)) });
    },
  };
}

/**
 * Electron carries what V8 can clone, but no Blob (shell/browser/api/message_port.cc, `SerializeV8Value`). The app sends text and bytes;
 * whoever sends more must first teach it to the double.
 */
function code(data: unknown): CodedData {
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  return bytes instanceof Uint8Array ? { base64: Buffer.from(bytes).toString('base64') } : { value: text(data) };
}

function decode(data: CodedData): unknown {
  return 'base64' in data ? new Uint8Array(Buffer.from(data.base64, 'base64')) : text(data.value);
}

function text(data: unknown): string {
  if (typeof data !== 'string') throw new TypeError('The double carries only text and bytes over a port.');
  return data;
}
