// Commands without keys that work on every screen: connections and the sandbox.
import { commandsIn } from './command.ts';

export const appCommands = commandsIn('connections', {
  'connections.new': { title: 'New connection', keywords: 'add service credentials' },
});

/** Offered only if the active connection is a sandbox. */
export const sandboxCommands = commandsIn('everywhere', {
  'sandbox.rain': { title: 'Make it rain', keywords: 'scenario weather precipitation' },
  'sandbox.clear': { title: 'Clear all scenarios', keywords: 'weather stop rain' },
  'sandbox.hour': { title: 'Move the sandbox clock 1 hour ahead', keywords: 'time cool-down' },
});
