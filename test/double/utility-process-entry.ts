// Runs in the double's utility process before the module that was asked for: gives it `process.parentPort`.
import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';

const [modulePath = '', ...args] = process.argv.slice(2);
const parentPort = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => void process.send?.(message),
});
process.on('message', (data) => parentPort.emit('message', { data, ports: [] }));
// A utility process ends with Electron, whatever the end was.
process.on('disconnect', () => process.exit(0));
Object.defineProperty(process, 'parentPort', { value: parentPort });
process.argv = [process.argv[0] ?? '', modulePath, ...args];
await import(pathToFileURL(modulePath).href);
