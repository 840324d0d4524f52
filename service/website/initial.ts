// The letter that stands for an application where others would show a picture.

/** The first character as a person sees it, so that an emoji stays whole. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name);
  return first?.segment.toUpperCase() ?? '?';
}
