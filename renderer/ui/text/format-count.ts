// A number with its noun, as people read it.

/** `1 monitor`, `1,234 monitors`; for nouns whose plural ends with -s. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
