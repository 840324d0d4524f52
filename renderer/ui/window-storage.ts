// What a window remembers in its own storage, such as the columns of a table. A full or forbidden storage costs only the memory.

export function readSaved(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null forgets it. */
export function save(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Nothing to do.
  }
}

export function readSavedChoice<Choice extends string>(
  key: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const saved = readSaved(key);
  return choices.find((choice) => choice === saved) ?? fallback;
}

/** Returns undefined if none was saved. */
export function readSavedList(key: string): readonly unknown[] | undefined {
  try {
    const saved: unknown = JSON.parse(readSaved(key) ?? 'null');
    return Array.isArray(saved) ? saved : undefined;
  } catch {
    return undefined;
  }
}
