/** An id that no row has yet: the prefix with the number after the highest, as in `path-3`. */
export function freshRowId(prefix: string, rows: readonly { id: string }[]): string {
  const numbers = rows.map(({ id }) => (id.startsWith(`${prefix}-`) ? Number(id.slice(prefix.length + 1)) : 0));
  return `${prefix}-${Math.max(0, ...numbers.filter(Number.isSafeInteger)) + 1}`;
}
