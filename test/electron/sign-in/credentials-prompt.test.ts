// The prompt for the username and password of a host or proxy, step by step.
import type { AuthInfo, BrowserWindow } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handleLogins } from '#electron/sign-in/handle-logins.ts';
import { electron } from '#test/double/electron.ts';
import { inside, preventable } from '#test/double/inside.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

const windowsOf = () => electron.BrowserWindow.getAllWindows();
const settle = () => new Promise((resolve) => setImmediate(resolve));

let loaded: string[];
let load: () => Promise<void>;
beforeEach(() => {
  loaded = [];
  load = async () => {};
  const spy = vi.spyOn(electron.BrowserWindow.prototype, 'loadURL').mockImplementation((url) => {
    loaded.push(url);
    return load();
  });
  return () => {
    spy.mockRestore();
    for (const window of windowsOf()) window.destroy();
  };
});

const host: Partial<AuthInfo> = { host: 'a.example', port: 8443, isProxy: false };

/** A sign-in window whose pages can request credentials. */
function start() {
  const parent = new electron.BrowserWindow({ webPreferences: { sandbox: true, contextIsolation: true } });
  const { webContents } = parent;
  handleLogins(parent as unknown as BrowserWindow);
  const request = (authInfo = host) => {
    const answers: unknown[][] = [];
    const asked = preventable({});
    webContents.emit('login', asked, {}, authInfo, (...given: unknown[]) => void answers.push(given));
    expect(asked.defaultPrevented).toBe(true);
    const prompt = windowsOf().findLast((window) => window !== parent);
    return { answers, prompt };
  };
  return { parent, request };
}

function startPrompt(authInfo = host) {
  const started = start();
  const { answers, prompt } = started.request(authInfo);
  if (!prompt) throw new Error('no prompt opened');
  return { ...started, answers, prompt };
}

const partition = () => electron.session.fromPartition('credentials');

/** Loads a URL of the prompt's page, as its form does with a body. */
async function fetchPage(url = loaded.at(-1) ?? '', form?: string): Promise<Response> {
  const request = form === undefined ? new Request(url) : new Request(url, { method: 'POST', body: form });
  const response = await partition().protocol[inside].get('app')?.(request);
  if (!response) throw new Error('nothing answers');
  return response;
}
const send = (fields: Record<string, string>) => fetchPage(undefined, new URLSearchParams(fields).toString());

// oauth-window.test.ts fills it in.
describe('the prompt', () => {
  it('runs no scripts, and shows the host as it is written', async () => {
    startPrompt({ host: '<b>&"\'', port: 1, isProxy: false });
    const page = await fetchPage();
    const policy = page.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none';.* form-action 'self'; frame-ancestors 'none'$/);
    expect(await page.text()).toContain('<strong>&#60;b&#62;&#38;&#34;&#39;:1</strong> requires');
  });

  it('stays on its page, and serves no other', async () => {
    const { prompt } = startPrompt();
    const [url = ''] = loaded;
    const mayGo = (to: string) => {
      const asked = preventable({ url: to });
      prompt.webContents.emit('will-navigate', asked);
      return !asked.defaultPrevented;
    };
    expect([mayGo(url), mayGo('https://a.example/'), mayGo('app://credentials/other')]).toEqual([true, false, false]);
    const other = await fetchPage('app://credentials/other', 'username=eve&password=eve');
    expect([other.status, await other.text()]).toEqual([404, '']);
  });
});

describe('the answer', () => {
  it('is none if the user cancels, by button or with Escape, as a sheet of a Mac has no close button', async () => {
    const { answers, prompt } = startPrompt();
    expect(await (await fetchPage()).text()).toMatch(/<button name="cancel" formnovalidate>Cancel<\/button>/);
    await send({ username: 'ada', password: '', cancel: '' });
    await settle();
    expect([answers, prompt.isDestroyed()]).toEqual([[[]], true]);
    const other = startPrompt();
    other.prompt.webContents.emit('before-input-event', {}, { type: 'keyDown', key: 'a' });
    await settle();
    expect(other.answers).toEqual([]);
    other.prompt.webContents.emit('before-input-event', {}, { type: 'keyDown', key: 'Escape' });
    await settle();
    expect([other.answers, other.prompt.isDestroyed()]).toEqual([[[]], true]);
  });

  it('may have 10,000 characters', async () => {
    const password = 'x'.repeat(10_000 - 'username=ada&password='.length);
    for (const [typed, expected] of [
      [password, [['ada', password]]],
      [`${password}x`, [[]]],
    ] as const) {
      const { answers } = startPrompt();
      await send({ username: 'ada', password: typed });
      await settle();
      expect(answers).toEqual(expected);
    }
  });

  it('is none if the user closes the prompt, or the sign-in window', async () => {
    const { answers, prompt } = startPrompt();
    prompt.close();
    await settle();
    expect(answers).toEqual([[]]);
    const other = startPrompt();
    other.parent.destroy();
    await settle();
    expect([other.answers, other.prompt.isDestroyed()]).toEqual([[[]], true]);
  });

  it('is none, without a prompt, after five of them', async () => {
    const { parent, request } = start();
    for (let number = 1; number <= 5; number += 1) {
      const { answers, prompt } = request();
      prompt?.close();
      await settle();
      expect(answers).toEqual([[]]);
    }
    expect(loaded).toHaveLength(5);
    const { answers } = request();
    await settle();
    expect([answers, windowsOf(), loaded.length]).toEqual([[[]], [parent], 5]);
  });
});
