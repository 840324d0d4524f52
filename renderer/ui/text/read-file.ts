// Reads the text of a file that the user chose.
import { type ReadText, readText } from '#shared/text/read-text.ts';

export async function readFile(file: File): Promise<ReadText> {
  return readText(new Uint8Array(await file.arrayBuffer()));
}
