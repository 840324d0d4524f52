// Results go to stdout, messages to stderr. Untrusted text can't control the terminal: control characters are escaped.
import { printable, printableLines } from '@rainbell/shared';

export type Output = ReturnType<typeof createOutput>;

export function createOutput(streams: {
  out: NodeJS.WritableStream & { isTTY?: boolean };
  words: NodeJS.WritableStream;
}) {
  return {
    /** One line of a result, for users. */
    print: (line: string): void => void streams.out.write(`${printable(line)}\n`),
    /** One line of a result, for programs. */
    printJson: (value: unknown): void => void streams.out.write(`${printable(JSON.stringify(value))}\n`),
    /** A file or a help text: to a terminal without control characters, otherwise as it is. */
    show: (text: string): void => void streams.out.write(streams.out.isTTY === true ? printableLines(text) : text),
    /** A message to the user. */
    info: (sentence: string): void => void streams.words.write(`${printable(sentence)}\n`),
  };
}

/** Aligns columns; numbers are right-aligned. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const texts = [head, ...rows.map((row) => row.map(printable))];
  const columns = head.map((_, column) => {
    const isNumeric = rows.length > 0 && rows.every((row) => /^(-?\d+(\.\d+)?|–)$/.test(row[column] ?? ''));
    return { isNumeric, width: texts.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0) };
  });
  return texts.map((row) =>
    columns
      .map(({ isNumeric, width }, column) => (isNumeric ? row[column]?.padStart(width) : row[column]?.padEnd(width)))
      .join('  ')
      .trimEnd(),
  );
}
