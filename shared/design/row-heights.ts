// Row heights in px of a text size of 16 px, shared by the stylesheet and the virtual lists.

/** `row`: one line. `tall-row`: two lines. */
export const rowHeights = {
  compact: { row: 30, 'tall-row': 46 },
  comfortable: { row: 38, 'tall-row': 54 },
} as const;
