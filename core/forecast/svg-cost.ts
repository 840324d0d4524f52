// Estimates the cost of drawing an SVG image. Chromium draws it on the main thread, once for each place that shows it. A
// kilobyte of nested <use> elements means millions of shapes, and nothing can interrupt the drawing. So shapes are counted first,
// with references followed; doubtful texts count as too many rather than too few.
import { isUtf8 } from 'node:buffer';

/** Drawings of more than this many shapes are not shown. Of the icons that our service sends, the most detailed counts 772. */
export const maxShapes = 2_000;

const deepest = 100;

/** What an embedded picture costs, in shapes. */
const imageWeight = 5;
/** Characters of a path that cost as much as one shape: about a hundred segments. */
const charactersPerShape = 400;

type Element = {
  name: string;
  weight: number;
  children: Element[];
  /** IDs of what is drawn in addition, by `href`. */
  copies: string[];
  /** IDs of patterns, masks, and so on, by `url(#…)`; children inherit some of them. */
  effects: string[];
};

/**
 * The number of shapes, each element with its references followed; Infinity for what cannot be counted: a text that is not UTF-8,
 * declares entities, refers to itself, hides references behind escapes, or draws what can cost any amount.
 */
export function countShapes(svg: Uint8Array): number {
  if (!isUtf8(svg)) return Infinity;
  const text = Buffer.from(svg).toString('utf8');
  if (hiding.test(text) || otherEncoding.test(text) || unbounded.test(text)) return Infinity;
  const read = readElements(text);
  if (!read) return Infinity;
  const { root, byId, styleEffects } = read;
  const known = new Map<Element, number>();
  const cost = (element: Element): number => {
    const found = known.get(element);
    if (found !== undefined) return found;
    // Met again while it is being counted: it refers to itself.
    known.set(element, Infinity);
    const own = element.weight + sumOf(element.children);
    const total = own * (1 + sumOf(effectsOf(element.effects))) + sumOf(namedBy(element.copies));
    known.set(element, total);
    return total;
  };
  const sumOf = (elements: readonly Element[]) => elements.reduce((sum, element) => sum + cost(element), 0);
  const namedBy = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []);
  // A gradient is a color.
  const effectsOf = (ids: readonly string[]) => namedBy(ids).filter(({ name }) => !name.endsWith('gradient'));
  return cost(root) * (1 + sumOf(effectsOf(styleEffects)));
}

/** Entities, escapes that can hide a reference, and pictures in it that are SVG themselves. */
const hiding = /<!ENTITY|&#|\\|href\s*=\s*["']\s*data:(?!image\/(?:png|jpeg|gif|webp)[;,])/i;
const otherEncoding = /\0|^\s*<\?xml[^>]*?encoding\s*=\s*["'](?!(?:utf-8|us-ascii|iso-8859-1)["'])/i;
/** Filters, animations, and HTML, whose cost can be any. */
const unbounded = /<(?:[^\s<>/:]+:)?(?:fe[a-z]+|animate[a-z]*|set|foreignObject)\b/i;

/**
 * How many dashes a line of the image can have for each character of its path, or 0 if no line is dashed: the dashes of a long
 * line are shapes, too. They inherit, so this is about the whole image.
 */
function dashesPerCharacter(text: string): number {
  if (!/dasharray/i.test(text)) return 0;
  const values = [...text.matchAll(/dasharray\s*[:=]\s*["']?([^"';}]*)/gi)].flatMap(([, value = '']) =>
    numbersIn(value),
  );
  const pathsOnly = text.replaceAll(/base64,[\w+/=]*|#[0-9a-f]{3,8}\b|\bxmlns(?::\w+)?\s*=\s*"[^"]*"/gi, '');
  const isBounded = values.every((dash) => dash >= 2) && numbersIn(pathsOnly).every((number) => number <= 200);
  return isBounded ? 2 : Infinity;
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d*\.?\d+(?:e[+-]?\d+)?/gi)].map(([number]) => Number(number));
}

/** Comments, CDATA, and tags. A tag that does not end is none. */
const tagForm = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<(\/?)([^\s<>/!?"'=]+)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;

type Elements = { root: Element; byId: ReadonlyMap<string, readonly Element[]>; styleEffects: string[] };

/** Undefined if there are too many, or they nest too deep. */
function readElements(text: string): Elements | undefined {
  const root: Element = { name: 'root', weight: 1, children: [], copies: [], effects: [] };
  const perCharacter = 1 / charactersPerShape + dashesPerCharacter(text);
  const byId = new Map<string, Element[]>();
  const open = [root];
  let [count, end] = [0, 0];
  let outside = '';
  for (const { 0: match, 1: slash, 2: fullName = '', 3: attributes = '', index } of text.matchAll(tagForm)) {
    outside += text.slice(end, index);
    end = index + match.length;
    if (fullName === '') outside += match;
    else if (slash === '/') {
      if (open.length > 1) open.pop();
    } else {
      const element = readElement(fullName, attributes, perCharacter);
      open.at(-1)?.children.push(element);
      for (const id of valuesOf(attributes, /(?:^|\s)id\s*=\s*["']([^"']*)/g)) {
        const named = byId.get(id);
        if (named) named.push(element);
        else byId.set(id, [element]);
      }
      if (!attributes.endsWith('/')) open.push(element);
      count += 1;
      if (count > maxShapes || open.length > deepest) return undefined;
    }
  }
  // Rules of a style sheet can be for every element.
  return { root, byId, styleEffects: valuesOf(outside, urlForm) };
}

function readElement(fullName: string, attributes: string, perCharacter: number): Element {
  // With any prefix for the namespace.
  const name = fullName.slice(fullName.indexOf(':') + 1).toLowerCase();
  return {
    name,
    // The attributes of shapes contain numbers; an embedded picture is not a path.
    weight: name === 'image' ? imageWeight : 1 + (attributes === '' ? 0 : Math.floor(attributes.length * perCharacter)),
    children: [],
    copies: valuesOf(attributes, /\bhref\s*=\s*["']\s*#([^"']*)/g),
    effects: valuesOf(attributes, urlForm),
  };
}

const urlForm = /url\(\s*["']?#([^"')]*)/gi;
/** Limit for one element, and for all style sheets together. */
const maxReferences = 20;

function valuesOf(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].slice(0, maxReferences + 1).map(([, value = '']) => value.trim());
}
