// One of a few choices about the layout, remembered in this window's own storage.

export function readChoice<Choice extends string>(key: string, choices: readonly Choice[], fallback: Choice): Choice {
  try {
    const saved = localStorage.getItem(key);
    return choices.find((choice) => choice === saved) ?? fallback;
  } catch {
    return fallback;
  }
}

export function saveChoice(key: string, choice: string): void {
  try {
    localStorage.setItem(key, choice);
  } catch {
    // A full or forbidden storage costs only the memory of the choice.
  }
}
