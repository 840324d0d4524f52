// Every button that starts work says so while it lasts: by `TaskButton`, or by the `loading` of a request in the store.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The opening tags of buttons, with their attributes. */
function buttonTags(source: string): readonly string[] {
  return [...source.matchAll(/<(?:Button|ActionIcon)\b(?![.A-Z])/g)].map(({ index }) => {
    let depth = 0;
    for (let end = index; end < source.length; end += 1) {
      if (source[end] === '{') depth += 1;
      else if (source[end] === '}') depth -= 1;
      else if (source[end] === '>' && depth === 0) return source.slice(index, end + 1);
    }
    return '';
  });
}

/** Whether a press starts something asynchronous that the button doesn't wait for. Settings change at once. */
function isSilent(tag: string): boolean {
  if (/=> void update\(/.test(tag)) return false;
  return /onClick=\{\(\) => void /.test(tag) && !/\bloading=/.test(tag);
}

describe('buttons that start work', () => {
  it('are busy while it lasts, on every screen but the two that are laid out by hand', () => {
    const files = globSync('renderer/{features,widgets}/**/*.tsx').filter(
      (file) => !/features\/(forecast|callbacks)\//.test(file),
    );
    expect(files.length).toBeGreaterThan(60);
    const silent = files.flatMap((file) =>
      buttonTags(readFileSync(file, 'utf8'))
        .filter(isSilent)
        .map((tag) => `${file}: ${tag.replaceAll(/\s+/g, ' ').slice(0, 120)}`),
    );
    expect(silent).toEqual([]);
  });

  it('are recognized by this test', () => {
    const source = '<Button a={<b />} onClick={() => void save()}>Save</Button><Button onClick={close}>Close</Button>';
    expect(buttonTags(source).map(isSilent)).toEqual([true, false]);
  });
});
