// The system-wide shortcut that shows Rainbell's window. Off by default: it takes a key combination from every other program.
import { globalShortcut } from 'electron';

export type ShowShortcut = {
  /** Registers another shortcut, or none. Returns why it isn't active, or null. */
  set: (accelerator: string | null) => string | null;
  close: () => void;
};

/** `run` is called for each press, even if another program has the focus. Electron must be ready. */
export function createShowShortcut(run: () => void): ShowShortcut {
  let current: string | null = null;

  function clear(): void {
    if (current !== null) globalShortcut.unregister(current);
    current = null;
  }

  return {
    set(accelerator) {
      if (accelerator === current) return null;
      clear();
      if (accelerator === null) return null;
      try {
        // False if another program has it (docs/api/global-shortcut.md); it throws if it is not an accelerator.
        if (!globalShortcut.register(accelerator, run)) {
          return `The shortcut ${accelerator} is in use by another program. Choose another one.`;
        }
      } catch {
        return `“${accelerator}” is not a shortcut. Use a form such as CommandOrControl+Shift+R.`;
      }
      current = accelerator;
      return null;
    },
    close: clear,
  };
}
