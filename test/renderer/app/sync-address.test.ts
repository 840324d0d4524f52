// The race between a change that is still to be written to the address and a link whose event is still to come.
import { expect, it, onTestFinished, vi } from 'vitest';
import { syncAddress } from '#renderer/app/sync-address.ts';
import type { AppStore } from '#renderer/store/app-state.ts';

it('a link that is followed while an older change is still to be written is not overwritten', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { store, open } = createStore();
  const page = createPage('#/sandbox/faults');
  syncAddress(store, page.window);
  await vi.runAllTimersAsync();
  // A step by an arrow key replaces the entry, a moment later.
  page.window.dispatchEvent(Object.assign(new Event('keydown'), { key: 'ArrowDown' }));
  open('clock');
  // As when the user follows a link, or goes back: the address changes at once, its event comes later.
  page.location.hash = '#/sandbox/provider';
  await vi.advanceTimersByTimeAsync(1_000);
  expect(page.location.hash).toBe('#/sandbox/provider');
  page.window.dispatchEvent(new Event('hashchange'));
  await vi.runAllTimersAsync();
  expect(store.getState().frame.sections.sandbox).toBe('provider');
  expect(page.location.hash).toBe('#/sandbox/provider');
  open('clock');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(page.location.hash).toBe('#/sandbox/clock');
});

/** What a link to the sandbox reads and sets of the app's state. */
function createStore() {
  const followers: ((state: unknown) => void)[] = [];
  const sections = { sandbox: '' };
  const state = {
    frame: { screen: 'sandbox', sections, goTo: () => {}, openSection: (_: string, item: string) => open(item) },
  };
  function open(section: string): void {
    sections.sandbox = section;
    for (const follow of followers) follow(state);
  }
  const store = { getState: () => state, subscribe: (follow: (state: unknown) => void) => followers.push(follow) };
  return { store: store as unknown as AppStore, open };
}

function createPage(hash: string) {
  const location = { hash };
  const history = {
    state: null as unknown,
    pushState: (state: unknown, _: string, to: string) => void ([history.state, location.hash] = [state, to]),
    replaceState: (state: unknown, _: string, to: string) => void ([history.state, location.hash] = [state, to]),
  };
  const window = Object.assign(new EventTarget(), { location, history });
  return { location, window: window as unknown as Window };
}
