// Icons that @yr/weather-symbols has no counterpart for, drawn by us in its style on its 100 × 100 canvas. Their greys and
// blues keep a contrast of 3:1 against white and against a dark page (#242424).

const grey = '#7b8794';
const sea = '#1e88e5';

/** Icon name to a whole SVG document. */
export const drawnIcons: Readonly<Record<string, string>> = {
  windy: drawing(
    lines(grey, 6, ['M8 40H60a13 13 0 1 0-13-13', 'M8 56H80a12 12 0 1 1-12 12', 'M20 72H46a9.5 9.5 0 1 1-9.5 9.5']),
  ),
  hailing: drawing(
    `<defs><linearGradient id="cloud-shade" x1="0" y1="0" x2="0" y2="1">` +
      `<stop offset="40%" stop-color="#b8b8b8"/><stop offset="100%" stop-color="#9a9a9a"/></linearGradient></defs>` +
      `<path fill="url(#cloud-shade)" stroke="#8b95a1" stroke-width="2" transform="translate(3,18)" ` +
      `d="M55.7,5A23.94,23.94,0,0,0,34.37,18.05a9.9,9.9,0,0,0-12.78,5.56,15,15,0,0,0-1.71-.1A14.81,14.81,0,0,0,9.2,28,` +
      `14.63,14.63,0,0,0,5,38.17v.21A14.83,14.83,0,0,0,19.88,53.06H75.59a14.3,14.3,0,0,0,3.67-28.14A23.93,23.93,0,0,0,55.7,5Z"/>` +
      `<g fill="#a8d4ee" stroke="#2f86b8" stroke-width="2.5">` +
      `<circle cx="31" cy="83" r="5"/><circle cx="48" cy="91" r="5"/><circle cx="65" cy="83" r="5"/></g>`,
  ),
  unknown: drawing(
    `<circle cx="50" cy="50" r="36" fill="none" stroke="${grey}" stroke-width="6" stroke-dasharray="9.5 5"/>` +
      lines(grey, 7, ['M38 42a12 12 0 1 1 18 10.400q-6 3.6-6 9.6']) +
      `<circle cx="50" cy="73" r="4.5" fill="${grey}"/>`,
  ),
  heavy_seas: drawing(
    lines(sea, 6, [
      'M8 46q10-26 28-22q14 4 12 18q-6-8-13-4q-6 4 1 8h14q8 0 12-14q5-10 16-8q11 3 9 14q-5-6-10-3q-4 3 0 7h15',
      'M8 64q10.5-12 21 0t21 0 21 0 21 0',
      'M8 80q10.5-12 21 0t21 0 21 0 21 0',
    ]),
  ),
  calm_seas: drawing(
    lines(sea, 6, ['M8 46q14-6 28 0t28 0 28 0', 'M18 62q11-5 22 0t22 0 22 0', 'M28 78q8-4 16 0t16 0 16 0']),
  ),
};

function drawing(content: string): string {
  return `<svg viewBox="0 0 100 100" xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
}

function lines(colour: string, width: number, paths: readonly string[]): string {
  const drawn = paths.map((path) => `<path d="${path}"/>`).join('');
  return `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">${drawn}</g>`;
}
