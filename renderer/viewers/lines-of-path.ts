// Evaluates a JSONPath (RFC 9535, with filters and functions) on a JSON text. A filter can take any time.
import { exec } from 'jsonpath-rfc9535';
import { type JsonOutline, jsonOutlineOf, maxMatches, normalizedName, segmentsOf } from './json-outline.ts';

/** Ascending lines, at most a thousand; null if the path can't be read or the text is not laid out. */
export function linesOfPath(text: string, path: string): readonly number[] | null {
  const outline = jsonOutlineOf(text);
  if (!outline) return null;
  const lineOf = linesByPlace(outline);
  const lines = new Set<number>();
  try {
    exec(JSON.parse(text), path, (_value, place) => {
      // Items of a short list on one line have no lines.
      const line = lineOf.get(keyOf(place)) ?? lineOf.get(keyOf(place.slice(0, -1)));
      if (line !== undefined) lines.add(line);
      if (lines.size >= maxMatches) throw enough;
    });
  } catch (error) {
    if (error !== enough) return null;
  }
  return [...lines].toSorted((one, other) => one - other);
}

const enough = new Error('The search reached the maximum number of matches.');

type Place = readonly (string | number)[];

function keyOf(place: Place): string {
  return JSON.stringify(place);
}

/** Returns the line of the last of members with the same name, as JSON.parse takes its value. */
function linesByPlace(outline: JsonOutline): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (let line = 0; line < outline.count; line += 1) {
    const first = outline.lines.source.charAt(outline.lines.starts[line] ?? 0);
    if (first === '}' || first === ']') continue;
    const place = segmentsOf(outline, line).map((part) => (typeof part === 'string' ? normalizedName(part) : part));
    lines.set(keyOf(place), line);
  }
  return lines;
}
