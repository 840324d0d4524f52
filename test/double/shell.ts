// The system-wide shortcuts.
import { inside } from './inside.ts';
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
