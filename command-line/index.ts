// The door of command-line: what other packages may use.
export { startCommandLine } from './start-command-line.ts';
