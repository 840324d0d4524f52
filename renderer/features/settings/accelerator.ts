// Key combinations as Electron writes them: https://www.electronjs.org/docs/latest/api/accelerator.

type Keys = { key: string; code: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean };

const namedKeys: Record<string, string> = { Space: 'Space', Enter: 'Return', ArrowUp: 'Up', ArrowDown: 'Down' };

/** Undefined while only modifiers are held, without Ctrl, Alt, or Cmd, and for keys that a layout may not have. */
export function acceleratorOf({ code, ctrlKey, metaKey, altKey, shiftKey }: Keys): string | undefined {
  // The physical key, because Shift and Alt change what a key types.
  const key = /^(?:Key([A-Z])|Digit(\d)|(F\d{1,2}))$/.exec(code)?.slice(1).find(Boolean) ?? namedKeys[code];
  if (key === undefined || !(ctrlKey || metaKey || altKey)) return undefined;
  const parts = [ctrlKey && 'Control', metaKey && 'Super', altKey && 'Alt', shiftKey && 'Shift', key];
  return parts.filter((part) => part !== false).join('+');
}

const macSigns: Record<string, string> = { Control: '⌃', Super: '⌘', Alt: '⌥', Shift: '⇧' };

export function formatAccelerator(accelerator: string, isMac: boolean): string {
  const parts = accelerator.split('+');
  if (isMac) return parts.map((part) => macSigns[part] ?? part).join('');
  return parts.map((part) => (part === 'Control' ? 'Ctrl' : part)).join('+');
}
