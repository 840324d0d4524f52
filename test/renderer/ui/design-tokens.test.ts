// Every size, color, and duration of the screens comes from the design tokens, and the tokens keep the contrasts that the design
// states.
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import postcss, { type AtRule, type Declaration } from 'postcss';
import { describe, expect, it } from 'vitest';
import { stylesheet } from '#service/website/layout/stylesheet.ts';
import { type ColorName, colors, designTokens } from '#shared/design/tokens.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

async function filesOf(pattern: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: root })) files.push(file);
  return files.toSorted();
}

const isKeyword = /^(?:inherit|initial|unset|none|auto|normal|0|currentcolor|transparent)$/i;
const space =
  /^(?:0|1px|auto|-?\d+%|var\(--rb-space-\d+\)|calc\(var\(--rb-space-\d+\) \* -1\)|max\(var\(--rb-space-\d+\), \(100% - \d+px\) \/ 2\))$/;
const radius = /^(?:0|50%|inherit|var\(--rb-radius-(?:\d+|round)\))$/;
const literalColor =
  /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|light-dark)\(|\b(?:white|black|red|green|blue|gr[ae]y)\b/i;
const duration = /(?<![\w-])\d*\.?\d+m?s\b/;

/** Why the declaration bypasses the tokens, or null. `--rb-…` are the tokens, `--mantine-…` the component library's own. */
function problemOf({ prop, value }: Pick<Declaration, 'prop' | 'value'>): string | null {
  const parts = postcss.list.space(value);
  if (literalColor.test(value)) return 'color';
  if (/var\(--(?!rb-)/.test(value)) return 'variable of another system';
  if (prop === 'font-size' && !/^(?:inherit|var\(--rb-text-\d+\))$/.test(value)) return 'font size';
  if (prop === 'line-height' && !/^(?:0|1|inherit|normal|var\(--rb-leading(?:-code)?\))$/.test(value))
    return 'line height';
  if (prop === 'font-weight' && !/^(?:inherit|var\(--rb-weight-\w+\))$/.test(value)) return 'font weight';
  if (prop === 'font' && value !== 'inherit') return 'font';
  if (prop === 'font-family' && !/^(?:inherit|var\(--rb-(?:sans|mono)\))$/.test(value)) return 'typeface';
  if (
    /^(?:margin|padding|scroll-margin)(?:-|$)|^(?:row-|column-)?gap$/.test(prop) &&
    !parts.every((part) => space.test(part))
  )
    return 'spacing';
  if (prop.endsWith('radius') && !parts.every((part) => radius.test(part))) return 'radius';
  if (/^(?:transition|animation)/.test(prop) && duration.test(value.replace(/\b0s\b/g, ''))) return 'duration';
  if (prop === 'box-shadow' && !isKeyword.test(value) && !/var\(--rb-/.test(value)) return 'shadow';
  return null;
}

function bypassesOf(file: string, css: string): readonly string[] {
  const found: string[] = [];
  postcss.parse(css).walkDecls((declaration) => {
    // Library internals that theme.css sets on the library's own components.
    const isTypeface = declaration.parent?.type === 'atrule' && (declaration.parent as AtRule).name === 'font-face';
    const problem = declaration.prop.startsWith('--rb-') || isTypeface ? null : problemOf(declaration);
    if (problem)
      found.push(`${file}:${declaration.source?.start?.line} ${problem}: ${declaration.prop}: ${declaration.value}`);
  });
  return found;
}

describe('the screens’ styles', () => {
  it('take every size, color, and duration from the design tokens', async () => {
    const files = await filesOf('renderer/**/*.css');
    expect(files.length).toBeGreaterThan(40);
    expect(files.flatMap((file) => bypassesOf(file, readFileSync(`${root}${file}`, 'utf8')))).toEqual([]);
  });

  it('of the website and the sign-in pages do so, too', () => {
    expect(bypassesOf('website', stylesheet)).toEqual([]);
  });

  it('name only tokens that exist', async () => {
    const files = [
      ...(await filesOf('renderer/**/*.css')),
      ...(await filesOf('renderer/**/*.{ts,tsx}')),
      ...(await filesOf('service/website/layout/stylesheet*.ts')),
    ];
    const declared = new Set<string>();
    const used = new Map<string, string>();
    for (const text of [designTokens, ...files.map((file) => readFileSync(`${root}${file}`, 'utf8'))])
      for (const [, name = ''] of text.matchAll(/(--rb-[\w-]+)'?\s*[:,]/g)) declared.add(name);
    for (const file of files)
      for (const [, name = ''] of readFileSync(`${root}${file}`, 'utf8').matchAll(/var\((--rb-[\w-]+)\)/g))
        used.set(name, file);
    expect([...used].filter(([name]) => !declared.has(name))).toEqual([]);
  });

  it('are not bypassed by components', async () => {
    const files = await filesOf('renderer/**/*.{ts,tsx}');
    // Colors in quotes, style properties of the library, and lengths in `style`.
    const bypass =
      /["'`]#[\da-fA-F]{3,8}["'`]|(?:^|\s)(?:fz|fw|lh|ff|c|bg|bd|m[trblxy]?|p[trblxy]?|gap|radius)=(?:\{\d|"\d)|style=\{\{[^}]*(?:fontSize|padding|margin|gap|color|background|borderRadius|fontWeight|lineHeight): ?(?:\d|['"](?!var\(--rb-))/g;
    const found = files.flatMap((file) => {
      const text = readFileSync(`${root}${file}`, 'utf8');
      return [...text.matchAll(bypass)].map((match) => `${file}: ${match[0].trim()}`);
    });
    expect(found).toEqual([]);
  });

  it.each([
    ['font-size: 14px', 'font size'],
    ['color: #123456', 'color'],
    ['background: rgb(0 0 0 / 10%)', 'color'],
    ['color: var(--mantine-color-dimmed)', 'variable of another system'],
    ['padding: var(--rb-space-8) 10px', 'spacing'],
    ['gap: 3px', 'spacing'],
    ['border-radius: 7px', 'radius'],
    ['transition: color 200ms', 'duration'],
    ['font-weight: 650', 'font weight'],
    ['line-height: 1.55', 'line height'],
    ['box-shadow: 0 1px 2px gold', 'shadow'],
  ])('are found if they say `%s`', (css, problem) => {
    expect(bypassesOf('x.css', `a { ${css}; }`)).toEqual([`x.css:1 ${problem}: ${css}`]);
  });
});

type Pair = readonly [words: ColorName, ground: ColorName, light: number, dark?: number];

/** The table in the design's notes: words (or a dot, a line) on a ground, with the contrasts stated there for light and dark. */
const pairs: readonly Pair[] = [
  ['text', 'surface', 16.7, 14.1],
  ['dim', 'surface', 6.2, 7.4],
  ['dim', 'sunken', 5.7, 7.9],
  ['dim', 'selection', 5.6, 6.3],
  ['placeholder', 'surface', 5.0, 5.7],
  ['on-accent', 'accent-fill', 5.0, 5.0],
  ['accent-words', 'accent-soft', 6.6, 7.6],
  ['good-words', 'good-soft', 5.8, 8.2],
  ['warn-words', 'warn-soft', 6.4, 8.4],
  ['bad-words', 'bad-soft', 5.9, 8.0],
  ['mute-words', 'mute-soft', 6.7, 7.4],
  ['good', 'surface', 4.4, 7.4],
  ['warn', 'surface', 3.2, 7.8],
  ['bad', 'surface', 4.8, 6.3],
  ['temperature', 'surface', 5.2, 7.8],
  ['dew-point', 'surface', 4.9, 7.6],
  ['wind', 'surface', 5.2, 8.5],
  ['rain', 'surface', 4.7, 5.7],
  ['rain-sum', 'surface', 7.9, 9.8],
  ['sun', 'surface', 5.9, 9.0],
  ['weather-sunny-words', 'weather-sunny', 9.2],
  ['weather-clear-words', 'weather-clear', 8.1],
  ['weather-partly-cloudy-words', 'weather-partly-cloudy', 10.8],
  ['weather-cloudy-words', 'weather-cloudy', 8.4],
  ['weather-foggy-words', 'weather-foggy', 9.9],
  ['weather-rainy-words', 'weather-rainy', 4.7],
  ['weather-snowy-words', 'weather-snowy', 8.9],
];

/** Not in the table: this text has to be readable, too. */
const readable: readonly (readonly [ColorName, ColorName])[] = [
  ['weather-windy-words', 'weather-windy'],
  ['weather-snow-flurries-words', 'weather-snow-flurries'],
  ['weather-hailing-words', 'weather-hailing'],
  ['weather-stormy-words', 'weather-stormy'],
  ['weather-unknown-words', 'weather-unknown'],
  ['on-accent', 'bad-fill'],
  ['on-accent', 'accent-fill-hover'],
  ['placeholder', 'sunken'],
  // The control of several choices.
  ['dim', 'mute-soft'],
  ['text', 'mute-soft'],
  ['text', 'chosen'],
  ...(['text', 'dim', 'accent-words', 'good-words', 'warn-words', 'bad-words'] as const).flatMap((words) =>
    (['surface', 'page', 'sunken', 'selection', 'raised'] as const).map((ground) => [words, ground] as const),
  ),
  ...(['json-key', 'json-string', 'json-number', 'json-word'] as const).map((words) => [words, 'sunken'] as const),
];

/** Contrast as WCAG 2.2 defines it, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('the contrasts in the %s', (_scheme, index) => {
  it('are those of the design', () => {
    const wrong = pairs.flatMap(([words, ground, ...stated]) => {
      const measured = contrast(colors[words][index], colors[ground][index]);
      const expected = stated[index];
      // The design gives a range for the bands in the dark.
      if (expected === undefined) return measured < 5.25 || measured > 9.35 ? [`${words}: ${measured.toFixed(2)}`] : [];
      return Math.abs(measured - expected) > 0.15
        ? [`${words} on ${ground}: ${measured.toFixed(2)}, stated ${expected}`]
        : [];
    });
    expect(wrong).toEqual([]);
  });

  it('let every word be read, and every edge of a field be seen', () => {
    const weak = readable.flatMap(([words, ground]) => {
      const measured = contrast(colors[words][index], colors[ground][index]);
      return measured < 4.5 ? [`${words} on ${ground}: ${measured.toFixed(2)}`] : [];
    });
    expect(weak).toEqual([]);
    for (const name of ['accent', 'edge', 'good', 'warn', 'bad'] as const)
      expect(contrast(colors[name][index], colors.surface[index])).toBeGreaterThanOrEqual(3);
  });
});
