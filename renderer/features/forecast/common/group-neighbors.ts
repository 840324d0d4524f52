/** Cuts a list between neighbors that do not belong together. */
export function groupNeighbors<T>(
  items: readonly T[],
  doBelong: (before: T, next: T) => boolean,
): readonly (readonly [T, ...T[]])[] {
  const groups: [T, ...T[]][] = [];
  let before: T | undefined;
  for (const item of items) {
    if (before !== undefined && doBelong(before, item)) groups.at(-1)?.push(item);
    else groups.push([item]);
    before = item;
  }
  return groups;
}
