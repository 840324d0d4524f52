// Cells of CSV files (RFC 4180) that people open in a spreadsheet. A cell that starts like a formula (=, +, -, @, and their wide forms)
// gets an apostrophe prefix. So does what starts one after a line end, a tab, or a semicolon: some spreadsheets split there.

/** A plain number is safe. */
export function csvCell(value: string | number | boolean | null | undefined): string {
  const text = typeof value === 'string' ? guarded(value) : String(value ?? '');
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function guarded(text: string): string {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return text;
  return text.replaceAll(/(^|[;\t\r\n])(?='*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/g, "$1'");
}

/** Removes the apostrophe prefixes. */
export function unguarded(cell: string): string {
  return cell.replaceAll(/(^|[;\t\r\n])'(?='*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/g, '$1');
}
