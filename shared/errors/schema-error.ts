// Schema errors for users: zod's own messages are for programmers; those that our schemas set ("must be …") are kept.
import type { z } from 'zod';
import { plural } from '../text/plural.ts';

type Issue = z.core.$ZodIssue;

/**
 * Such as "objects, item 1, id: should be text, but is a number". `value`: all that was read, as JSON; `whole`
 * names it, as the subject of "The body should be an object, but is a list".
 */
export function formatSchemaError(issue: Issue | undefined, value: unknown, whole: string): string {
  if (!issue) return `${whole} is not valid`;
  const path = issue.path.map((key) => (typeof key === 'number' ? `item ${key + 1}` : formatFieldName(String(key))));
  const reason = formatIssue(issue, value);
  return path.length === 0 ? `${whole} ${reason}` : `${path.join(', ')}: ${reason}`;
}

/**
 * The same without the path, such as "is missing" or "should be text, but is a number". `value`: the whole input. What fails and why are
 * separate messages by design: schemas write reasons that follow the name of a field, which only their caller knows.
 */
export function formatIssue(issue: Issue, value: unknown): string {
  if (isOwn(issue.message)) return issue.message.replace(/\.$/, '');
  const found = valueAt(value, issue.path);
  return found === undefined && issue.path.length > 0 ? 'is missing' : describeIssue(issue, found);
}

/** Returns undefined if the path does not exist. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

/** Detects messages of our schemas: zod's own start with one of these (zod/v4/locales/en.ts). */
function isOwn(message: string): boolean {
  return message !== '' && !/^(Invalid|Too (big|small)|Unrecognized)\b/.test(message);
}

function describeIssue(issue: Issue, found: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `should be ${kindNames[issue.expected] ?? issue.expected}, but is ${kindOf(found)}`;
    case 'invalid_value':
      return shouldBe(issue.values);
    case 'too_big':
      return formatLimit(issue, issue.maximum, ['at most', 'less than']);
    case 'too_small':
      return formatLimit(issue, issue.minimum, ['at least', 'more than']);
    case 'invalid_format':
      return formatFormatIssue(issue);
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, 5).map(formatFieldName).join(', ')}`;
    case 'invalid_union':
      return formatUnionIssue(issue, found);
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'is not valid';
  }
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  undefined: 'left out',
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return numberKind(value);
  return kindNames[typeof value] ?? 'something else';
}

function numberKind(value: number): string {
  if (!Number.isFinite(value)) return 'not finite';
  return Number.isInteger(value) ? 'a number' : 'a number with decimals';
}

function shouldBe(values: readonly unknown[]): string {
  const list = values.map((value) => (typeof value === 'string' ? `“${shortened(value)}”` : String(value)));
  return list.length === 1 ? `should be ${list[0]}` : `should be one of ${list.join(', ')}`;
}

type Sized = { origin: string; exact?: boolean; inclusive?: boolean };

function formatLimit(
  { origin, exact, inclusive }: Sized,
  limit: number | bigint,
  [included, excluded]: readonly [string, string],
): string {
  const bound = exact ? 'exactly' : inclusive === false ? excluded : included;
  if (origin === 'string')
    return plural(Number(limit), ['should be {bound} # character long', 'should be {bound} # characters long'], {
      bound,
    });
  if (origin === 'array')
    return plural(Number(limit), ['should have {bound} # item', 'should have {bound} # items'], { bound });
  return `should be ${bound} ${limit}`;
}

const formatIssues: Readonly<Record<string, string>> = {
  url: 'should be a full URL such as https://example.net/',
  datetime: 'should be a time such as 2026-11-21T08:00:00Z',
  base64: 'should be Base64',
};

function formatFormatIssue(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  if ('prefix' in issue) return `should start with “${String(issue.prefix)}”`;
  return formatIssues[issue.format] ?? 'has an invalid format';
}

function formatUnionIssue(issue: Extract<Issue, { code: 'invalid_union' }>, found: unknown): string {
  if ('options' in issue && issue.options?.length) return shouldBe(issue.options);
  const firsts = issue.errors.flatMap(([first]) => (first ? [first] : []));
  const kinds = firsts.flatMap((first) =>
    first.code === 'invalid_type' && first.path.length === 0 ? [kindNames[first.expected] ?? first.expected] : [],
  );
  if (kinds.length === issue.errors.length && kinds.length > 0)
    return `should be ${[...new Set(kinds)].join(' or ')}, but is ${kindOf(found)}`;
  const nested = firsts.find(({ path }) => path.length > 0);
  const reason = nested === undefined ? '' : ` (${formatSchemaError(nested, found, 'it')})`;
  return `matches none of the allowed forms${reason}`;
}

function formatFieldName(name: string): string {
  return name.trim() === '' ? 'a field without a name' : shortened(name);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
