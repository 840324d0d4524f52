// Messages that depend on a count. scripts/messages.mjs puts both forms into the catalog as one message.

const englishRules = new Intl.PluralRules('en');

/** Which of the two forms English uses. */
const englishForm = (count: number): number => (englishRules.select(count) === 'one' ? 0 : 1);

/**
 * The message for a count: `plural(1234, ['# monitor', '# monitors'])` is `1,234 monitors`. `#` stands for the count, `{name}` for one of
 * the values. Write whole sentences: `plural(count, ['Delete # callback from {place}?', 'Delete # callbacks from {place}?'], { place })`.
 *
 * @param forms for one, and for every other count
 * @param values by name; a name that is missing stays in its braces
 * @param formOf the index of a count's form; another locale brings its own
 */
export function plural(
  count: number,
  forms: readonly string[],
  values: Readonly<Record<string, string | number>> = {},
  formOf = englishForm,
): string {
  const form = forms[formOf(count)] ?? forms[0] ?? '';
  return form.replaceAll(/#|\{(\w+)\}/g, (place, name: string | undefined) =>
    name === undefined ? formatCount(count) : String(values[name] ?? place),
  );
}

/** Formatting is slow, and most counts are short. */
function formatCount(count: number): string {
  return Number.isInteger(count) && Math.abs(count) < 1000 ? String(count) : count.toLocaleString('en');
}
