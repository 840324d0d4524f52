// Lists of items in a sentence.

/** `rain`, `rain and hail`, or `rain, snow, and hail`. */
export function formatList(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  if (items.length < 2) return last;
  const others = items.slice(0, -1).join(', ');
  return items.length === 2 ? `${others} and ${last}` : `${others}, and ${last}`;
}
