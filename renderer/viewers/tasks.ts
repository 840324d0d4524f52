// What viewers compute from a text or body from elsewhere: each a pure function of its input with a bounded answer, so that it can run
// at once or in a worker (run-task.ts). Inputs and answers survive a structured clone.
import { cutText } from '@rainbell/shared';
import { type BodyPart, partsOf } from './body-parts.ts';
import { bytesOf, formFields, hexLines, textOf } from './body-text.ts';
import { budget } from './budget.ts';
import { type Compared, differencesOf, foldLines } from './differences.ts';
import { type JsonOutline, jsonOutlineOf } from './json-outline.ts';
import { linesOfPath } from './lines-of-path.ts';
import { isJson } from './json-tokens.ts';
import { layRows, rowBudget, type Rows, textRows } from './rows.ts';

/**
 * Text, or bytes in base64; a body is sent as received, so that the page doesn't have to decode it. `charset`: UTF-8 if undefined.
 */
export type Source = { text: string } | { base64: string; charset?: string | undefined };

export type BodyForm = 'json' | 'text' | 'hex' | 'form' | 'parts';

export type LayoutInput = { source: Source; portions: number; as?: 'auto' | 'text' | 'hex'; head?: string };
/** `isUnformatted`: the rows are JSON that has too many lines or levels for an outline. */
export type Layout = { outline: JsonOutline } | { rows: Rows; isUnformatted?: boolean };

export const viewerTasks = {
  /** The forms in which a body can be shown, the best one first, with its fields and its parts if it has them. */
  body({ source, contentType }: { source: Extract<Source, { base64: string }>; contentType: string }) {
    const text = textOfSource(source);
    const isForm = /^application\/(x-)?www-form-urlencoded\b/i.test(contentType);
    const fields = isForm && text !== undefined ? formFields(text) : undefined;
    const parts = partsOf(source.base64, contentType);
    const forms: BodyForm[] = [];
    if (text !== undefined && /^\s*[[{]/.test(text) && isJson(text)) forms.push('json');
    if (fields) forms.push('form');
    if (parts) forms.push('parts');
    if (text !== undefined) forms.push('text');
    forms.push('hex');
    return { forms, isText: text !== undefined, fields, parts: parts && { ...parts, parts: parts.parts.map(partOf) } };
  },

  /**
   * The outline of JSON, otherwise rows as received (`text`: always so); bytes that are not UTF-8 as a hex dump (`hex`: always so). `head`
   * is text before a body's bytes.
   */
  layout({ source, portions, as = 'auto', head = '' }: LayoutInput): Layout {
    const limit = rowBudget(portions);
    const text = as === 'hex' ? undefined : textOfSource(source);
    // A row more than the limit shows that there are more.
    if (text === undefined)
      return { rows: textRows(head + hexLines(bytesOfSource(source), limit.rows + 1).join('\n'), limit) };
    if (as === 'text' || head !== '') return { rows: textRows(head + text, limit) };
    const outline = jsonOutlineOf(text);
    return outline ? { outline } : { rows: textRows(text, limit), isUnformatted: isJson(text) };
  },

  /** The lines that a JSONPath leads to; null if it is empty or can't be read. */
  path({ text, path }: { text: string; path: string }): readonly number[] | null {
    return path === '' ? null : linesOfPath(text, path);
  },

  differences({ older, newer, portions }: { older: Compared; newer: Compared; portions: number }) {
    const { lines, ...found } = differencesOf(older, newer);
    const folds = found.differing > 0 && lines.length > budget.unfoldedLines;
    return { rows: layRows(folds ? foldLines(lines) : lines, rowBudget(portions)), ...found };
  },
};

export type ViewerTasks = typeof viewerTasks;
export type TaskName = keyof ViewerTasks;
export type TaskInput<Name extends TaskName> = Parameters<ViewerTasks[Name]>[0];
export type TaskResult<Name extends TaskName> = ReturnType<ViewerTasks[Name]>;

export function runHere<Name extends TaskName>(name: Name, input: TaskInput<Name>): TaskResult<Name> {
  const task = viewerTasks[name] as (input: TaskInput<Name>) => TaskResult<Name>;
  return task(input);
}

/** The length of a source, in characters or base64 characters. */
export function sourceLength(source: Source): number {
  return 'text' in source ? source.text.length : source.base64.length;
}

/** All of the text; undefined if the bytes are not text of their charset. */
export function textOfSource(source: Source): string | undefined {
  return 'text' in source ? source.text : textOf(bytesOf(source.base64), source.charset);
}

function bytesOfSource(source: Source): Uint8Array<ArrayBuffer> {
  return 'text' in source ? new TextEncoder().encode(source.text) : bytesOf(source.base64);
}

function partOf({ headers, name, fileName, bytes }: BodyPart) {
  const decoded = textOf(bytes);
  const text = decoded ?? hexLines(bytes, budget.partBytes / 16).join('\n');
  return {
    headers,
    name,
    fileName,
    sizeBytes: bytes.length,
    text: cutText(text, budget.partBytes),
    isCut: (decoded ?? bytes).length > budget.partBytes,
  };
}
