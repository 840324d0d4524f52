// Where the keys lead in a list that shows one chosen row.

const pageRows = 15;

/** The row that a key leads to; undefined where the key means nothing here. `here` is -1 where none is chosen. */
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
