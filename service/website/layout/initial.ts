// The initial shown as an application's picture.

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the first character as displayed, so that an emoji stays complete. */
export function initialOf(name: string): string {
  const [first] = characters.segment(name);
  return first?.segment.toUpperCase() ?? '?';
}
