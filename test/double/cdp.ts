// Chromium's DevTools protocol over a pipe: the browser ends with the process that holds the pipe, however that one ends.
// Typed by Playwright's protocol types. Sessions are flat; '' is the browser itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'playwright';

/** One target's line. `on` events are those of this session only. */
export type Session = { id: string; send: CDPSession['send']; on: CDPSession['on'] };

type Message = {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
};

type Pending = { resolve: (value: unknown) => void; reject: (error: Error) => void; method: string };

export type Chromium = {
  browser: Session;
  /** A new page, stopped until `Runtime.runIfWaitingForDebugger`. Pages that nobody opened here are closed unseen. */
  openTarget: (contextId: string | undefined) => Promise<{ targetId: string; session: Session }>;
  /** Where another program, such as Playwright, can connect to the same browser. */
  endpoint: string;
  close: () => Promise<void>;
};

export async function startChromium(path: string, flags: readonly string[], profile: string): Promise<Chromium> {
  mkdirSync(profile, { recursive: true });
  const child = spawn(
    path,
    [
      ...flags,
      '--headless',
      '--remote-debugging-pipe',
      '--remote-debugging-port=0',
      '--remote-allow-origins=*',
      '--no-startup-window',
      '--window-size=1280,860',
      '--hide-scrollbars',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const connection = connect(child);
  const browser = connection.session('');
  const openTarget = watchTargets(connection.session);
  await browser.send('Target.setDiscoverTargets', { discover: true });
  await browser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  return {
    browser,
    openTarget,
    endpoint: await readEndpoint(profile, child),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      browser.send('Browser.close').catch(() => child.kill());
      await ended;
    },
  };
}

function connect(child: ChildProcess): { session: (id: string) => Session } {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const pending = new Map<number, Pending>();
  const sessions = new Map<string, EventEmitter>();
  let lastId = 0;
  let rest = '';

  const emitterOf = (id: string) => {
    const emitter = sessions.get(id) ?? new EventEmitter().setMaxListeners(0);
    sessions.set(id, emitter);
    return emitter;
  };
  const receive = (message: Message) => {
    if (message.id === undefined) {
      if (message.method !== undefined) emitterOf(message.sessionId ?? '').emit(message.method, message.params);
      return;
    }
    const call = pending.get(message.id);
    pending.delete(message.id);
    if (message.error) call?.reject(new Error(`${call.method}: ${message.error.message}`));
    else call?.resolve(message.result);
  };
  output.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) receive(JSON.parse(part) as Message);
  });
  // A broken pipe is the end of the browser; the calls that wait for an answer learn it here.
  input.on('error', () => {});
  child.once('exit', () => {
    for (const call of pending.values()) call.reject(new Error(`${call.method}: Chromium ended`));
    pending.clear();
  });
  const session = (id: string): Session => {
    const emitter = emitterOf(id);
    const send = (method: string, params: object = {}) =>
      new Promise<unknown>((resolve, reject) => {
        if (child.exitCode !== null || child.signalCode !== null) {
          reject(new Error(`${method}: Chromium ended`));
          return;
        }
        lastId += 1;
        pending.set(lastId, { resolve, reject, method });
        input.write(`${JSON.stringify({ id: lastId, method, params, ...(id && { sessionId: id }) })}\0`);
      });
    return { id, send: send as CDPSession['send'], on: emitter.on.bind(emitter) as unknown as CDPSession['on'] };
  };
  return { session };
}

/** Every page is stopped before its first request; one that a page opened by itself is closed in that state. */
function watchTargets(session: (id: string) => Session): Chromium['openTarget'] {
  const browser = session('');
  const attached = new Map<string, string>();
  const ours = new Set<string>();
  let opening: Promise<unknown> = Promise.resolve();

  type TargetInfo = { targetId: string; type: string };
  const look = async (sessionId: string, { targetId, type }: TargetInfo) => {
    attached.set(targetId, sessionId);
    await opening;
    if (ours.has(targetId)) return;
    if (type === 'page') await closeUnseen(session(sessionId), browser, targetId);
    else await session(sessionId).send('Runtime.runIfWaitingForDebugger');
  };
  browser.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    // It may be gone already.
    look(sessionId, targetInfo).catch(() => {});
  });
  const open = async (contextId: string | undefined) => {
    const context = contextId === undefined ? {} : { browserContextId: contextId };
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', ...context });
    ours.add(targetId);
    // Chromium attaches before it answers.
    return { targetId, session: session(attached.get(targetId) ?? '') };
  };
  return (contextId) => {
    const target = opening.then(() => open(contextId));
    opening = target.catch(() => {});
    return target;
  };
}

/**
 * Closes a page that another one opened. While it is stopped it stops its opener too, which shares its process, and closing
 * a stopped page can leave the opener stopped for good; so it goes on first, with every request held back.
 */
async function closeUnseen(page: Session, browser: Session, targetId: string): Promise<void> {
  await page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  await page.send('Runtime.runIfWaitingForDebugger');
  await browser.send('Target.closeTarget', { targetId });
}

/** Chromium writes the port that it took into its profile. On a busy machine that takes long, so only its end ends the wait. */
async function readEndpoint(profile: string, child: ChildProcess): Promise<string> {
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const [port, path] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
      if (port && path) return `ws://127.0.0.1:${port}${path}`;
    } catch {
      // Not written yet.
    }
    await pause(25);
  }
  throw new Error(`Chromium ended before it opened its port for debugging (${child.exitCode ?? child.signalCode}).`);
}
