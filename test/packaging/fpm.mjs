// Replaces fpm, which electron-builder downloads: instead of a package, it writes the arguments it was called with, and what the
// package would contain except for the app's own large files.
import { readFileSync, statSync, writeFileSync } from 'node:fs';

const args = process.argv.slice(2);
const valueOf = (/** @type {string} */ flag) => args[args.indexOf(flag) + 1] ?? '';
/** `from=to`: a file to a file, or with `/` at its end the contents of a folder. */
const mappings = args.filter((argument) => argument.includes('=/')).map((argument) => argument.split('='));
mappings.push([valueOf('--after-install'), 'postinst'], [valueOf('--after-remove'), 'postrm']);
const files = Object.fromEntries(
  mappings.flatMap(([from = '', to = '']) => {
    const { size, mode } = statSync(from);
    return from.endsWith('/') || size > 1_000_000 ? [] : [[to, { mode, text: readFileSync(from, 'latin1') }]];
  }),
);
writeFileSync(valueOf('--package'), JSON.stringify({ args, files }));
