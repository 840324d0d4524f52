// The command lines of the tools for developers (bench, attack, and others).
import { parseArgs } from 'node:util';

/**
 * Returns the values and positional arguments. `--help` prints the usage and exits with 0.
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} Options
 * @param {string} usage
 * @param {Options} options in the form of `parseArgs`
 * @param {{ allowPositionals: boolean }} [positionals]
 */
export function readToolOptions(usage, options, { allowPositionals } = { allowPositionals: false }) {
  const { help: needsHelp } = parseArgs({
    args: process.argv.slice(2),
    options: { help: { type: 'boolean', short: 'h' } },
    strict: false,
  }).values;
  if (needsHelp === true) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    return failWithUsage(usage, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Prints what is wrong with the command line, and the usage, and exits with 2.
 * @param {string} usage
 * @param {string} problem
 * @returns {never}
 */
export function failWithUsage(usage, problem) {
  console.error(`error: ${problem}\n\n${usage}`);
  process.exit(2);
}
