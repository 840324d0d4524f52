// Heights of rows in px, which the stylesheet and the lists that draw only the rows in view have to agree on.

/** `row`: one line. `tall-row`: two lines. */
export const rowHeights = {
  compact: { row: 30, 'tall-row': 46 },
  comfortable: { row: 38, 'tall-row': 54 },
} as const;
