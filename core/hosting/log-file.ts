// The log of a host: JSON lines in a file of the data folder. Secrets never get there, and these paths make sure of it
// where a whole request or answer is logged by mistake.
import { pino, type Logger } from 'pino';

const secretPaths = [
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  'password',
  'ticket',
  'code',
];

export function openLog(file: string, name: string): Logger {
  const redact = secretPaths.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]);
  return pino({ name, redact, level: 'info' }, pino.destination({ dest: file, mkdir: true, sync: true }));
}
