// Reads a secret or a confirmation from standard input.
import { addAbortSignal, type Readable } from 'node:stream';
import { type ReadText, readText } from '../text/read-text.ts';

/** Returns the first line without its end; undefined if there is no input. */
export async function readFirstLine(input: NodeJS.ReadableStream, signal?: AbortSignal): Promise<ReadText | undefined> {
  const stream = input as Readable;
  if (signal) addAbortSignal(signal, stream);
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (chunk.includes('\n')) break;
  }
  if (chunks.length === 0) return undefined;
  const { text, isAnsi } = readText(Buffer.concat(chunks));
  return { text: text.split(/\r\n|\n|\r/, 1)[0] ?? '', isAnsi };
}
