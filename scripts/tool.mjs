// Runs the command of an npm package with this Node; Windows cannot spawn the links in node_modules/.bin without a shell.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** The project's folder, with a separator at its end. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/**
 * The JavaScript file behind a package's command.
 * @param {string} name of the package and its command, or a script of the project
 */
export function toolFile(name) {
  if (name.startsWith('scripts/')) return `${projectFolder}${name}`;
  const folder = `${projectFolder}node_modules/${name}/`;
  const { bin } = /** @type {{ bin: string | Record<string, string> }} */ (
    JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
  );
  return `${folder}${typeof bin === 'string' ? bin : Object.values(bin)[0]}`;
}

/**
 * Runs a tool to its end. `loud` lets it write to the terminal as it runs; otherwise its output is returned.
 * @param {string} name
 * @param {readonly string[]} args
 * @param {{ loud?: boolean, environment?: Record<string, string>, program?: string }} [options] `program` is another Node
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runTool(name, args, { loud = false, environment = {}, program = process.execPath } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [toolFile(name), ...args], {
      cwd: projectFolder,
      env: { ...process.env, ...environment },
      stdio: loud ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: stripVTControlCharacters(output) }));
  });
}
