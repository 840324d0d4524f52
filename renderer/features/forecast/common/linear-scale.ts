// Maps one range of numbers to another linearly: times or measures to pixels, and back. Four lines instead of d3-scale, which also
// loads colors, formats, and interpolation.

export type LinearScale = {
  (value: number): number;
  invert: (place: number) => number;
  domain: () => Range;
  range: () => Range;
};

type Range = readonly [from: number, to: number];

/** A domain without extent maps to the middle of the range. */
export function linearScale(domain: Range, range: Range): LinearScale {
  return Object.assign((value: number) => between(value, domain, range), {
    invert: (place: number) => between(place, range, domain),
    domain: () => domain,
    range: () => range,
  });
}

function between(value: number, [from, to]: Range, [start, end]: Range): number {
  const share = to === from ? 0.5 : (value - from) / (to - from);
  return start + share * (end - start);
}
