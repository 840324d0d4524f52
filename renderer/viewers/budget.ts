// What a viewer of text from elsewhere may cost. Nothing that arrives decides how much work the page does: each viewer stops at these
// limits and says so, and "Show more" adds one more portion.

export const budget = {
  /** Rows and UTF-16 units of one portion. */
  portionRows: 5_000,
  portionCharacters: 400_000,
  /** A longer line continues in the next row. The browser lays out each row as a whole, so rows stay short. */
  rowCharacters: 1_000,
  /** Up to here all rows are on the page, so that the browser can select and find in them; beyond, only those in view. */
  wholeRows: 120,
  wholeCharacters: 12_000,
  /** JSON with more lines or levels is shown as received; the indentation stops growing earlier. More of a longer line is shown on request. */
  jsonLines: 200_000,
  depth: 200,
  indentLevels: 20,
  lineCharacters: 2_000,
  /** JSON: lists of up to so many plain values, such as coordinates, stay on one line. */
  flatListItems: 4,
  /** Fields of a form; a table of them, or of headers, grows by `wholeFields`. */
  fields: 2_000,
  wholeFields: 100,
  fieldCharacters: 2_000,
  /** Multipart: parts that are shown, the bytes of each, and the size of a part's head that is read. */
  parts: 100,
  partBytes: 2_000,
  partHeadBytes: 8_192,
  /** Comparing: lines that differ before what lies between the common ends is shown as replaced; unchanged lines that stay around a change; shorter
   * runs of unchanged lines than `fewestFolded` stay, too. */
  edits: 400,
  contextLines: 3,
  fewestFolded: 5,
  /** Comparisons of more lines than this fold what is unchanged. */
  unfoldedLines: 200,
  /** Characters of one body that can be edited in a text field; a field lays out all of its text at every key. */
  editableCharacters: 100_000,
  /** Texts up to this length are read at once; longer ones in a worker, which is ended after `workerMs`. */
  atOnceCharacters: 16_384,
  workerMs: 8_000,
} as const;
