// Names as they are compared: without case, diacritics and punctuation, so “zürich”, “Zurich” and “ZÜRICH” are one.

const plainLetters: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ð: 'd',
  þ: 'th',
};

export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßøđłæœıðþ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/['’ʻ‘`.]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
