// Which columns a table shows, remembered in this window's own storage.

export function readColumns<Key extends string>(
  storageKey: string,
  all: readonly { key: Key }[],
  defaults: readonly Key[],
): readonly Key[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    return Array.isArray(saved) ? all.map(({ key }) => key).filter((key) => saved.includes(key)) : defaults;
  } catch {
    return defaults;
  }
}

export function saveColumns(storageKey: string, columns: readonly string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(columns));
  } catch {
    // A full or forbidden storage costs the memory of the choice only.
  }
}
