// What the double's objects share: the browser behind the windows, the addresses, and who is there. One process is one
// Electron, so this is one object.
import { createAddresses } from './addresses.ts';
import type { Chromium } from './cdp.ts';

let chromium: Promise<Chromium> | undefined;
let lastId = 0;

export const world = {
  addresses: createAddresses(),
  isReady: false,
  nextId(): number {
    lastId += 1;
    return lastId;
  },
  /** Set once, when the app starts. */
  set chromium(started: Promise<Chromium>) {
    chromium = started;
  },
  get chromium(): Promise<Chromium> {
    if (!chromium) throw new Error('Chromium was not started.');
    return chromium;
  },
};
