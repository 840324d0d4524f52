// How a screen's state is written in a link and read from one. Links come from anywhere: every value is bounded, a text that is
// not a value becomes a problem to report, and reading never throws.

/** What follows a screen's name in a link: `#/callbacks/21079?q=rain` has the item `21079` and the query `q=rain`. */
export type LinkParts = { item: string | null; query: URLSearchParams };

/** How one value of a screen is written. */
export type LinkField<T> = {
  /** The value if the link has no such part. */
  absent: T;
  /** Says what the text must be, for the notice: `“x” must be a callback number.` */
  problem: (text: string) => string;
  /** Returns undefined if the text is not a value. */
  parse: (text: string) => T | undefined;
  /** Returns null for what a link leaves out. */
  format: (value: T) => string | null;
};

/** Reads and writes all values of a screen. `parse` never throws: it reports each unusable value as a problem. */
export type LinkCodec<T> = {
  parse(parts: LinkParts): { value: T; problems: readonly string[] };
  format(value: T): LinkParts;
};

type Fields<T> = { readonly [Name in keyof T]: LinkField<T[Name]> };

/** The field called `item` is the path's segment, the others are parameters of the query. */
export function linkCodec<T extends object>(fields: Fields<T>): LinkCodec<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return {
    parse({ item, query }) {
      const problems: string[] = [];
      const parseField = <Name extends keyof T & string>(name: Name): T[Name] => {
        const field = fields[name];
        const text = name === 'item' ? item : query.get(name);
        if (text === null) return field.absent;
        const value = field.parse(text);
        if (value === undefined) problems.push(field.problem(quote(name, text)));
        return value === undefined ? field.absent : value;
      };
      const value = Object.fromEntries(names.map((name) => [name, parseField(name)])) as T;
      if (item !== null && !names.some((name) => name === 'item')) problems.push(`“${shorten(item)}” is unknown.`);
      for (const name of new Set(query.keys())) {
        if (name === 'item' || !names.some((known) => known === name)) problems.push(`“${shorten(name)}” is unknown.`);
        else if (query.getAll(name).length > 1) problems.push(`Only the first “${name}” counts.`);
      }
      return { value, problems };
    },
    format(value) {
      const query = new URLSearchParams();
      let item: string | null = null;
      for (const name of names) {
        const text = fields[name].format(value[name]);
        if (text === null) continue;
        if (name === 'item') item = text;
        else query.set(name, text);
      }
      return { item, query };
    },
  };
}

function quote(name: string, text: string): string {
  return name === 'item' ? shorten(text) : `${name}=${shorten(text)}`;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Any text up to `limit` UTF-16 units; an empty one is left out. */
export function textField(limit: number): LinkField<string> {
  return {
    absent: '',
    problem: (text) => `“${text}” must have at most ${limit.toLocaleString('en')} characters.`,
    parse: (text) => (text.length <= limit ? text : undefined),
    // A lone surrogate can't be written in a URL.
    format: (text) => (text === '' ? null : text.toWellFormed().slice(0, limit).toWellFormed()),
  };
}

/** A text of the given form, such as an ID, or null. */
export function patternField(pattern: RegExp, problem: (text: string) => string): LinkField<string | null> {
  return {
    absent: null,
    problem,
    parse: (text) => (pattern.test(text) ? text : undefined),
    format: (text) => (text !== null && pattern.test(text) ? text : null),
  };
}

/** A positive whole number, or null. */
export function numberField(problem: (text: string) => string): LinkField<number | null> {
  return {
    absent: null,
    problem,
    parse: (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined),
    format: (value) => (value === null || value < 1 ? null : String(value)),
  };
}

/** One of a few words; the absent one is left out. */
export function choiceField<T extends string, Absent extends T | null>(
  choices: readonly T[],
  absent: Absent,
): LinkField<T | Absent> {
  return {
    absent,
    problem: (text) => `“${text}” must be one of ${choices.join(', ')}.`,
    parse: (text) => choices.find((choice) => choice === text),
    format: (value) => (value === absent ? null : value),
  };
}

/** `1` for true; false is left out. */
export const flagField: LinkField<boolean> = {
  absent: false,
  problem: (text) => `“${text}” must be 1.`,
  parse: (text) => (text === '1' ? true : undefined),
  format: (value) => (value ? '1' : null),
};
