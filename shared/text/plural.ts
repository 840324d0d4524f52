// Messages that depend on a count.

const englishRules = new Intl.PluralRules('en');

/**
 * The message for a count: `plural(1234, ['# monitor', '# monitors'])` is `1,234 monitors`. `#` stands for the count, `{name}` for one of
 * the values. Write whole sentences: `plural(count, ['Delete # callback from {place}?', 'Delete # callbacks from {place}?'], { place })`.
 *
 * @param forms for one, and for every other count
 * @param values by name; a name that is missing stays in its braces
 */
export function plural(
  count: number,
  [one, other]: readonly [string, string],
  values: Readonly<Record<string, string | number>> = {},
): string {
  const form = englishRules.select(count) === 'one' ? one : other;
  return form.replaceAll(/#|\{(\w+)\}/g, (place, name: string | undefined) =>
    name === undefined ? formatCount(count) : String(values[name] ?? place),
  );
}

/** Formatting is slow, and most counts are short. */
function formatCount(count: number): string {
  return Number.isInteger(count) && Math.abs(count) < 1000 ? String(count) : count.toLocaleString('en');
}
