// The preloads, each with a page's window and Electron's side of it replaced: what they send, and what they do with messages.
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const ipcRenderer = vi.hoisted(() => ({
  sent: [] as unknown[],
  listeners: new Map<string, (event: object, ...values: unknown[]) => void>(),
  on(channel: string, run: (event: object, ...values: unknown[]) => void) {
    this.listeners.set(channel, run);
  },
  send(...message: unknown[]) {
    this.sent.push(message);
  },
  postMessage(...message: unknown[]) {
    this.sent.push(message);
  },
}));
vi.mock('electron', () => ({ ipcRenderer }));

/** Has the part of a DOM element that the preloads use. */
function createElement() {
  const events = new EventEmitter();
  const element = {
    value: '',
    calls: [] as string[],
    focus: () => void element.calls.push('focus'),
    select: () => void element.calls.push('select'),
    addEventListener: (name: string, run: () => void) => void events.on(name, run),
    emit: (name: string, event: object = {}) => events.emit(name, event),
  };
  return element;
}

const receive = (channel: string, event: object, ...values: unknown[]) =>
  ipcRenderer.listeners.get(channel)?.(event, ...values);

let page: ReturnType<typeof createElement>;
beforeEach(() => {
  vi.resetModules();
  ipcRenderer.sent = [];
  ipcRenderer.listeners.clear();
  page = createElement();
  return () => void vi.unstubAllGlobals();
});

describe('the preload of the screens', () => {
  it('requests a port when the page is loaded, and passes it to the page’s own origin', async () => {
    const posted: unknown[][] = [];
    vi.stubGlobal('window', Object.assign(page, { postMessage: (...message: unknown[]) => void posted.push(message) }));
    await import('#electron/preload/preload.ts');
    expect(ipcRenderer.sent).toEqual([]);
    page.emit('load');
    expect(ipcRenderer.sent).toEqual([['rainbell-port', null]]);
    receive('rainbell-port', { ports: ['port'] });
    expect(posted).toEqual([['rainbell-port', '/', ['port']]]);
  });
});

describe('the preload of the find bar', () => {
  type Element = ReturnType<typeof createElement>;

  async function start(missing: readonly string[] = []) {
    const elements = new Map<string, Element>();
    const names = ['input', 'output', 'form', 'button[name=previous]', 'button[name=next]', 'button[name=close]'];
    for (const name of names) if (!missing.includes(name)) elements.set(name, createElement());
    vi.stubGlobal('window', page);
    vi.stubGlobal('document', { querySelector: (selector: string) => elements.get(selector) ?? null });
    await import('#electron/preload/find-bar.ts');
    page.emit('DOMContentLoaded');
    const element = (name: string) => elements.get(name) ?? createElement();
    const [input, output] = [element('input'), element('output')];
    const type = (text: string) => {
      input.value = text;
      input.emit('input');
    };
    const press = (key: string, target: Element = input, shiftKey = false) =>
      page.emit('keydown', { key, target, shiftKey });
    return {
      input,
      output,
      element,
      type,
      press,
      click: (name: string) => element(`button[name=${name}]`).emit('click'),
    };
  }

  const find = (text: string, isForward: boolean, isNext: boolean) => ['find-bar:find', { text, isForward, isNext }];

  it('searches while the user types, and steps by buttons and keys', async () => {
    const { type, press, click } = await start();
    type('rain');
    click('next');
    click('previous');
    press('Enter');
    press('Enter', undefined, true);
    expect(ipcRenderer.sent).toEqual([
      find('rain', true, false),
      find('rain', true, true),
      find('rain', false, true),
      find('rain', true, true),
      find('rain', false, true),
    ]);
  });

  it('leaves Enter on a button to the button, and other keys to the page', async () => {
    const { press, element } = await start();
    press('Enter', element('button[name=close]'));
    press('a');
    expect(ipcRenderer.sent).toEqual([]);
  });

  it('closes by its button and by Escape, wherever the focus is', async () => {
    const { press, click, element } = await start();
    click('close');
    press('Escape');
    press('Escape', element('button[name=next]'));
    expect(ipcRenderer.sent).toEqual([['find-bar:close'], ['find-bar:close'], ['find-bar:close']]);
  });

  it('does not send its form', async () => {
    const { element } = await start();
    const preventDefault = vi.fn<() => void>();
    element('form').emit('submit', { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  it('shows the number of matches of the text that is in the field', async () => {
    const { type, output } = await start();
    type('rain');
    receive('find-bar:found', {}, { text: 'rain', active: 2, matches: 7 });
    expect(output.value).toBe('2 of 7');
    type('rains');
    expect(output.value).toBe('2 of 7');
    receive('find-bar:found', {}, { text: 'rain', active: 1, matches: 1 });
    expect(output.value).toBe('2 of 7');
    receive('find-bar:found', {}, { text: 'rains', active: 0, matches: 0 });
    expect(output.value).toBe('No matches');
    type('');
    expect([output.value, ipcRenderer.sent.at(-1)]).toEqual(['', find('', true, false)]);
  });

  it('selects its text on request', async () => {
    const { input } = await start();
    receive('find-bar:focus', {});
    expect(input.calls).toEqual(['focus', 'select']);
  });

  it.each(['input', 'output'])('does nothing in a page without an %s', async (name) => {
    const { press } = await start([name]);
    press('Escape');
    expect([ipcRenderer.sent, [...ipcRenderer.listeners.keys()]]).toEqual([[], []]);
  });
});
