// What the operating system holds for an app besides its windows: shortcuts, badge, login item, Dock, Jump List.
import { inside } from './inside.ts';
import type { Menu } from './menu.ts';
import { world } from './world.ts';

class GlobalShortcut {
  readonly [inside] = {
    registered: new Map<string, () => void>(),
    /** Accelerators that another program has. */
    taken: new Set<string>(),
  };

  register(accelerator: string, callback: () => void): boolean {
    if (!world.isReady) throw new Error('globalShortcut cannot be used before the app is ready');
    // docs/api/accelerator.md: modifiers, then one key.
    if (
      !/^((Command|Cmd|Control|Ctrl|CommandOrControl|CmdOrCtrl|Alt|Option|AltGr|Shift|Super|Meta)\+)*(\w|F\d{1,2}|Space|Return|Up|Down)$/.test(
        accelerator,
      )
    ) {
      throw new TypeError('Error processing argument at index 0, conversion failure');
    }
    const { registered, taken } = this[inside];
    if (taken.has(accelerator) || registered.has(accelerator)) return false;
    registered.set(accelerator, callback);
    return true;
  }

  unregister(accelerator: string): void {
    this[inside].registered.delete(accelerator);
  }

  unregisterAll(): void {
    this[inside].registered.clear();
  }

  isRegistered(accelerator: string): boolean {
    return this[inside].registered.has(accelerator);
  }
}

export const globalShortcut = new GlobalShortcut();

export class Dock {
  readonly [inside] = { menu: null as Menu | null };

  setMenu(menu: Menu): void {
    this[inside].menu = menu;
  }

  getMenu(): Menu | null {
    return this[inside].menu;
  }

  hide(): void {}

  show(): Promise<void> {
    return Promise.resolve();
  }

  isVisible(): boolean {
    return true;
  }
}
