// The rows that keys lead to, in a list that shows one selected row.

const pageRows = 15;

/** Returns the row that a key leads to; undefined if the key has no function here. `here` is -1 if no row is selected. */
export function listTarget(key: string, here: number, count: number): number | undefined {
  const clamp = (place: number) => Math.max(0, Math.min(count - 1, place));
  switch (key) {
    case 'ArrowDown':
      return clamp(here + 1);
    case 'ArrowUp':
      return clamp(here - 1);
    case 'PageDown':
      return clamp(here + pageRows);
    case 'PageUp':
      return clamp(here - pageRows);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
