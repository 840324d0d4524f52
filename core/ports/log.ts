// The part of pino's logger that the core uses. The host makes the logger and passes it down.
import type { Logger } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
