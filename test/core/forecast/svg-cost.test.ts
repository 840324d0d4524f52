// How many shapes an SVG image draws, compared with Chromium's own unfolding where that ends.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { countShapes, maxShapes } from '#core/forecast/svg-cost.ts';
import { drawnIcons } from '#service/icons/drawn-icons.ts';

const count = (svg: string) => countShapes(Buffer.from(svg));
/** `levels` groups, each of which draws the one before `width` times. */
const nested = (levels: number, width: number, tag = 'use') =>
  `<svg><g id="a0"><path/></g>${Array.from(
    { length: levels },
    (_, level) => `<g id="a${level + 1}">${`<${tag} href="#a${level}"/>`.repeat(width)}</g>`,
  ).join('')}</svg>`;

describe('the shapes of an SVG image', () => {
  it('are few in every icon of our service', () => {
    const folder = fileURLToPath(new URL('dist/svg/', import.meta.resolve('@yr/weather-symbols/package.json')));
    const icons = readdirSync(folder).filter((name) => name.endsWith('.svg'));
    const counts = icons.map((name) => countShapes(readFileSync(folder + name)));
    expect(Math.max(...counts, ...Object.values(drawnIcons).map(count))).toBeLessThan(maxShapes);
  });

  it.each([
    ['elements', '<svg><g><path/><path/></g></svg>', 5],
    ['copies', '<svg><g id="a"><path/></g><use href="#a"/></svg>', 7],
    ['masked ones', '<svg><mask id="m"><rect/></mask><g mask="url(#m)"><path/></g></svg>', 10],
    ['not gradients', '<svg><linearGradient id="p"><stop/></linearGradient><g fill="url(#p)"><path/></g></svg>', 6],
    ['none in comments', '<svg><!-- <path/> --></svg>', 2],
  ])('count %s', (_name, svg, shapes) => {
    expect(count(svg)).toBe(shapes);
  });

  it.each([
    ['copies of copies', nested(5, 10)],
    ['with a namespace', nested(5, 10, 'é:use')],
    ['itself', '<svg id="a"><use href="#a"/></svg>'],
    [
      'a long chain',
      `<svg>${Array.from({ length: 1_900 }, (_, at) => `<use id="a${at}" href="#a${at + 1}"/>`).join('')}</svg>`,
    ],
    ['too many elements', `<svg>${'<path/>'.repeat(40_000)}</svg>`],
    ['too many levels', `<svg>${'<g>'.repeat(80_000)}`],
    ['filters', `<svg><filter id="f">${'<feTurbulence/>'.repeat(50)}</filter><rect filter="url(#f)"/></svg>`],
    [
      'patterns by a style sheet',
      `<svg><style>rect { fill: url("#f") }</style><pattern id="f">${'<rect/>'.repeat(50)}</pattern>${'<rect/>'.repeat(60)}</svg>`,
    ],
    ['an animation', '<svg><path><é.x:animateTransform attributeName="transform"/></path></svg>'],
    ['HTML', '<svg><foreignObject><p/></foreignObject></svg>'],
    ['turbulence', '<svg><filter id="f"><feTurbulence numOctaves="100"/></filter><rect filter="url(#f)"/></svg>'],
    ['a long path', `<svg><path d="${'M0 0L8 8'.repeat(110_000)}"/></svg>`],
    ['short dashes', '<svg><path stroke-dasharray="0.001" d="M0 0h100"/></svg>'],
    ['a long dashed line', '<svg><path style="stroke-dasharray: 4" d="M0 0h1e9"/></svg>'],
    ['a dashed line of many segments', `<svg stroke-dasharray="4"><path d="${'L0 0L9 9'.repeat(200)}"/></svg>`],
    [
      'animated dashes',
      '<svg><path stroke-dasharray="4"/><animate attributeName="stroke-dasharray" to="0.001"/></svg>',
    ],
    ['entities', '<!DOCTYPE svg [<!ENTITY a "<path/>">]><svg>&a;</svg>'],
    ['escaped references', '<svg><g id="a"/><use href="&#35;a"/></svg>'],
    ['an image that is SVG', '<svg><image href="data:image/svg+xml;base64,PHN2Zy8+"/></svg>'],
    ['another encoding', '<?xml version="1.0" encoding="utf-16"?><svg/>'],
    ['NUL', '<\0s\0v\0g\0/\0>\0'],
  ])('are too many with %s', (_name, svg) => {
    expect(count(svg)).toBeGreaterThan(maxShapes);
  });

  it('are counted in a short time, whatever the text', () => {
    const pieces = [
      '<',
      '<a ',
      '<a b="',
      '<!--',
      '<style ',
      '<a id="x" href="#x"/>',
      'url(',
      'href = "',
      '<a href="#x" ',
    ];
    const startedAt = process.cpuUsage();
    for (const piece of pieces) count(piece.repeat(Math.floor(262_144 / piece.length)));
    expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(1_000);
  });
});
