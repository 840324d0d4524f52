// What viewers compute from a text or body from elsewhere: each a pure function of its input with a bounded answer, so that it can run
// at once or in a worker (run-task.ts). Inputs and answers survive a structured clone.
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { cutText } from '@rainbell/shared';
import { type BodyForm, formsOf, partsOf } from './body-forms.ts';
import { bytesOf, formFields, hexLines, textOf } from './body-text.ts';
import { budget } from './budget.ts';
import { type Compared, differenceRows, differencesOf } from './differences.ts';
import { type JsonOutline, jsonOutlineOf } from './json-outline.ts';
import { linesOfPath } from './lines-of-path.ts';
import { isJson } from './json-tokens.ts';
import { rowBudget, type Rows, textRows } from './rows.ts';

/**
 * Text, or bytes in base64; a body is sent as received, so that the page doesn't have to decode it. `charset`: UTF-8 if undefined.
 */
export type Source = { text: string } | { base64: string; charset?: string | undefined };

export type LayoutInput = { source: Source; portions: number; as?: 'auto' | 'text' | 'hex'; head?: string };
/** `isUnformatted`: the rows are JSON that has too many lines or levels for an outline. */
export type Layout = { outline: JsonOutline } | { rows: Rows; isUnformatted?: boolean };

export const viewerTasks = {
  /** In which forms a body can be shown. */
  forms({ source, contentType }: { source: Source; contentType: string }): { forms: BodyForm[]; isText: boolean } {
    const text = textOfSource(source);
    return { forms: formsOf(bytesOfSource(source), text, contentType), isText: text !== undefined };
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

  fields({ source, portions }: { source: Source; portions: number }): { fields: HeaderList; count: number } {
    return formFields(textOfSource(source) ?? '', budget.portionFields * portions);
  },

  parts({ source, contentType }: { source: Source; contentType: string }): {
    parts: ReturnType<typeof partOf>[];
    count: number;
  } {
    const found = partsOf(bytesOfSource(source), contentType);
    return { parts: (found?.parts ?? []).map(partOf), count: found?.count ?? 0 };
  },

  differences({ older, newer, portions }: { older: Compared; newer: Compared; portions: number }) {
    const { lines, ...found } = differencesOf(older, newer);
    const folds = found.differing > 0 && lines.length > budget.unfoldedLines;
    return { rows: differenceRows(lines, folds, rowBudget(portions)), ...found };
  },
};

export type ViewerTasks = typeof viewerTasks;
export type TaskName = keyof ViewerTasks;
export type TaskInput<Name extends TaskName> = Parameters<ViewerTasks[Name]>[0];
export type TaskResult<Name extends TaskName> = ReturnType<ViewerTasks[Name]>;

/** Runs one by its name. */
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

export function bytesOfSource(source: Source): Uint8Array<ArrayBuffer> {
  return 'text' in source ? new TextEncoder().encode(source.text) : bytesOf(source.base64);
}

function partOf({ headers, name, fileName, bytes }: NonNullable<ReturnType<typeof partsOf>>['parts'][number]) {
  const text = textOf(bytes) ?? hexLines(bytes, budget.partBytes / 16).join('\n');
  return {
    headers,
    name,
    fileName,
    sizeBytes: bytes.length,
    text: cutText(text, budget.partBytes),
    isCut: textOf(bytes) === undefined ? bytes.length > budget.partBytes : text.length > budget.partBytes,
  };
}
