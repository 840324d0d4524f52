// Reads the text of a file that the user chose.
import { notUnicode, type ReadText, readText } from '#shared/text/read-text.ts';

export async function readFile(file: File): Promise<ReadText> {
  return readText(new Uint8Array(await file.arrayBuffer()));
}

/** For a file that a program wrote. Throws a sentence for the user. */
export async function readUnicodeFile(file: File): Promise<string> {
  const { text, isAnsi } = await readFile(file);
  if (isAnsi) throw new Error(`${file.name} ${notUnicode}`);
  return text;
}
