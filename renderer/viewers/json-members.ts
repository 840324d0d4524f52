// One branch of a JSON text for the tree: its members with their values as received, found by walking the text, so that a branch of a
// large body costs no objects of the rest.
import { budget } from './budget.ts';
import { JsonTokens } from './json-tokens.ts';
import { cutText } from '@rainbell/shared';

export type JsonMember = {
  /** A member's name as received, with its quotes; null in a list. */
  name: string | null;
  kind: 'object' | 'list' | 'string' | 'number' | 'word';
  /** A plain value as received, cut to the budget; empty for a branch. */
  text: string;
  /** How many members a branch holds. */
  size: number;
};

export type JsonBranch = { kind: 'object' | 'list'; size: number; members: JsonMember[] };

/**
 * The first `count` members of the branch that `path` leads to (a member's index at each level; empty for the whole value). Null if
 * the path does not lead to a branch. `text` must be valid JSON.
 */
export function branchOf(text: string, path: readonly number[], count: number): JsonBranch | null {
  const tokens = new JsonTokens(text);
  tokens.next();
  for (const place of path) if (!enter(tokens, place)) return null;
  if (tokens.kind !== '{' && tokens.kind !== '[') return null;
  const kind = tokens.kind === '{' ? 'object' : 'list';
  const members: JsonMember[] = [];
  let size = 0;
  while (toNextMember(tokens)) {
    if (size < count) members.push(readMember(tokens, kind));
    else {
      skipName(tokens, kind);
      tokens.skipValue();
    }
    size += 1;
  }
  return { kind, size, members };
}

/** From a branch's opening bracket to the first token of its member at `place`. */
function enter(tokens: JsonTokens, place: number): boolean {
  if (tokens.kind !== '{' && tokens.kind !== '[') return false;
  const kind = tokens.kind === '{' ? 'object' : 'list';
  for (let index = 0; toNextMember(tokens); index += 1) {
    skipName(tokens, kind);
    if (index === place) return true;
    tokens.skipValue();
  }
  return false;
}

/** From an opening bracket, a comma, or a value's last token to the next member's first; false at the end of the branch. */
function toNextMember(tokens: JsonTokens): boolean {
  tokens.next();
  if (tokens.kind === ',') tokens.next();
  return tokens.kind !== '}' && tokens.kind !== ']' && tokens.kind !== 'end';
}

function skipName(tokens: JsonTokens, kind: JsonBranch['kind']): string | null {
  if (kind === 'list') return null;
  const name = cutText(tokens.text.slice(tokens.start, tokens.end), budget.memberCharacters);
  tokens.next();
  tokens.next();
  return name;
}

function readMember(tokens: JsonTokens, kind: JsonBranch['kind']): JsonMember {
  const name = skipName(tokens, kind);
  const { start, end, text } = tokens;
  if (tokens.kind === '{' || tokens.kind === '[') {
    const own = tokens.kind === '{' ? 'object' : 'list';
    return { name, kind: own, text: '', size: tokens.skipValue().members };
  }
  const shown = cutText(text.slice(start, end), budget.memberCharacters);
  return {
    name,
    kind: tokens.kind === 'string' || tokens.kind === 'number' ? tokens.kind : 'word',
    text: shown.length < end - start ? `${shown}…` : shown,
    size: 0,
  };
}
