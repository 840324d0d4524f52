// The letter that stands for an application where others would show a picture.

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the first character as a reader sees it, so that an emoji stays whole. */
export function initialOf(name: string): string {
  const [first] = characters.segment(name);
  return first?.segment.toUpperCase() ?? '?';
}
