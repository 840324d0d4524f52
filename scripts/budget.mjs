// `npm run check:budget`, part of `npm run check` and `npm test`: how much there is to carry, and the most that there may be.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { projectFolder } from './tool.mjs';

/** Lower a limit when you remove something. To raise one, add the reason in a comment on its line. */
const limits = {
  'product, code tokens': 727_200,
  'product, lines': 99_460,
  // A LAN of two computers, recipes, the record of events, recorded responses, and tunnels came; what HTTP proves went from the rest.
  'tests, code tokens': 735_435,
  'tests, lines': 73_185,
  'longest file, lines': 460,
  // docs/attack.md tells the attacks of accounts, of other users of the machine, and of pages.
  'words in docs': 34_520,
  'runtime dependencies': 47,
  // With the clone and the build, the README's 840 MB; `npm run bench` measures the seconds.
  'installed by npm ci, MB': 650,
  'service settings': 30,
  'palette commands': 47,
  // `verify FILE` checks a callback that someone else exported, `check-providers` shows what no test can, `events` reads the record,
  // `tunnel` opens one, tests it, and says when it breaks; `service` runs the service from the npm package and the desktop packages.
  'rainbell commands': 27,
  // `setup` is the first pages of `--home`; `events list` is the record of any customer's monitor.
  'operator commands': 16,
};

/** A string, a template, a name or number, an operator, or any other character. */
const token = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[\p{L}\p{N}_$]+|[=!<>&|?+*.-]+|\S/gu;

/** @type {string[]} */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: projectFolder,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(projectFolder, file)));

/** @param {string} file */
const read = (file) => readFileSync(join(projectFolder, file), 'utf8');

/** @param {string} module below the project @returns {Promise<any>} */
const load = (module) => import(new URL(`../${module}`, import.meta.url).href);

/** Lines as `wc -l` counts them. @param {string} text */
const linesOf = (text) => text.split('\n').length - 1;

/** @param {string} file */
function measureCode(file) {
  const text = read(file);
  let code = text;
  for (const { start, end } of parseSync(file, text).comments) {
    code = code.slice(0, start) + code.slice(start, end).replaceAll(/\S/g, ' ') + code.slice(end);
  }
  const codeLines = code.split('\n').filter((line) => line.trim() !== '').length;
  return { file, lines: linesOf(text), codeLines, tokens: code.match(token)?.length ?? 0 };
}

/** @param {string} help a command line's help @returns the commands that it lists; `a | b` are two */
function commandsIn(help) {
  const list = /^Commands:\n([^]*?)(?=^\S|$(?![^]))/m.exec(help)?.[1] ?? '';
  const named = list.split('\n').filter((line) => /^ {2}[a-z]/.test(line));
  return named.flatMap((line) => line.trim().split(' | ')).filter((part) => /^[a-z]/.test(part)).length;
}

/** @returns {Promise<string>} */
async function rainbellHelp() {
  let text = '';
  const { runCommandLine } = await load('command-line/run-command-line.ts');
  const output = { show: (/** @type {string} */ shown) => void (text += shown) };
  await runCommandLine(['--help'], { output, signal: new AbortController().signal });
  return text;
}

const code = files.filter((file) => /\.(?:[cm]?[jt]s|tsx)$/.test(file)).map(measureCode);
const tests = code.filter(({ file }) => file.startsWith('test/'));
const product = code.filter(({ file }) => !file.startsWith('test/'));
/** @param {typeof code} of @param {'lines' | 'codeLines' | 'tokens'} what */
const sum = (of, what) => of.reduce((total, measured) => total + measured[what], 0);
const styles = files.filter((file) => file.endsWith('.css')).reduce((lines, file) => lines + linesOf(read(file)), 0);
const longest = code.reduce((one, other) => (other.lines > one.lines ? other : one));
const words = files
  .filter((file) => file.endsWith('.md'))
  .map((file) => read(file).split(/\s+/).filter(Boolean).length);
const installed = readdirSync(join(projectFolder, 'node_modules'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/node_modules.(\.|electron.dist)/.test(entry.parentPath))
  .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0);
const { allCommands } = await load('shared/commands/all-commands.ts');
const commands = /** @type {{ isKeyOnly?: true }[]} */ (Object.values(allCommands));
const { settings } = await load('service/config/settings.ts');
const { helpText } = await load('service/operator/command-line.ts');

/** @type {Record<keyof typeof limits, [count: number, note?: string]>} */
const counted = {
  'product, code tokens': [sum(product, 'tokens'), `${sum(product, 'codeLines')} lines without blanks and comments`],
  'product, lines': [sum(product, 'lines') + styles, `${styles} of them CSS`],
  'tests, code tokens': [sum(tests, 'tokens'), `${sum(tests, 'codeLines')} lines without blanks and comments`],
  'tests, lines': [sum(tests, 'lines'), `${tests.length} files`],
  'longest file, lines': [longest.lines, longest.file],
  'words in docs': [words.reduce((total, count) => total + count, 0), `${words.length} files`],
  'runtime dependencies': [
    new Set(
      files
        .filter((file) => /^[^/]+\/package\.json$/.test(file))
        .flatMap((file) => Object.keys(JSON.parse(read(file)).dependencies ?? {}))
        .filter((name) => !name.startsWith('@rainbell/')),
    ).size,
  ],
  'installed by npm ci, MB': [Math.round(installed / 1e6)],
  'service settings': [Object.keys(settings).length],
  'palette commands': [
    commands.filter(({ isKeyOnly }) => !isKeyOnly).length,
    `${commands.length} with keys of controls`,
  ],
  'rainbell commands': [commandsIn(await rainbellHelp())],
  'operator commands': [commandsIn(helpText)],
};

for (const [name, limit] of Object.entries(limits)) {
  const [count, note = ''] = counted[/** @type {keyof typeof limits} */ (name)];
  const isOver = count > limit;
  if (isOver) process.exitCode = 1;
  const columns = [isOver ? 'OVER' : '', name.padEnd(22), count.toLocaleString('en').padStart(9), 'of'];
  console.log(
    [columns[0]?.padEnd(4), ...columns.slice(1), limit.toLocaleString('en').padStart(9), ` ${note}`]
      .join(' ')
      .trimEnd(),
  );
}
