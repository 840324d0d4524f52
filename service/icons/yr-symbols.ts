// Icons from @yr/weather-symbols (MIT): the symbol of each icon name, and the few colors changed so that a symbol is visible on
// white and on dark pages.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Icon name to the package's symbol; `d` is by day, `n` by night. */
const symbols: Readonly<Record<string, string>> = {
  sunny: '01d',
  clear: '01d',
  clear_moon: '01n',
  partly_sunny: '03d',
  partly_cloudy: '03d',
  partly_moon: '03n',
  cloudy: '04',
  foggy: '15',
  rainy: '09',
  snow_flurries: '49',
  snowy: '13',
  stormy: '22',
};

/** Light clouds vanish on white; moon and rain vanish on black. An edge and colors of medium lightness serve both. */
const recoloured: readonly (readonly [from: string, to: string])[] = [
  ['<symbol id="cloud">\n    <path ', '<symbol id="cloud">\n    <path stroke="#8b95a1" stroke-width="2" '],
  ['#686e73', '#7b8794'],
  ['#6a7075', '#7b8794'],
  ['#0062bf', '#1e88e5'],
  ['#47c0e3', '#1a9cc9'],
  ['#999999', '#8b95a1'],
  ['#ffdd15', '#f0a800'],
  ['#ffaf22', '#f79b00'],
  ['#f09900', '#d97400'],
];

export function hasYrSymbol(iconName: string): boolean {
  return Object.hasOwn(symbols, iconName);
}

/** Returns the SVG document for a name that `hasYrSymbol` accepts. Rejects if the package is incomplete. */
export async function readYrSymbol(iconName: string): Promise<string> {
  // The package's files are not bundled, so they are resolved at run time.
  const require = createRequire(import.meta.url);
  const packageFile = require.resolve('@yr/weather-symbols/package.json');
  const file = path.join(path.dirname(packageFile), 'dist', 'svg', `${symbols[iconName]}.svg`);
  const drawn = await readFile(file, 'utf8');
  return recoloured.reduce((svg, [from, to]) => svg.replaceAll(from, to), drawn);
}
