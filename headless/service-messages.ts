// What the service's thread tells the host.
import type { ServiceIntroduction } from '#contract/sandbox.ts';

export type ServiceWorkerData = {
  dataFolder: string;
  /** The port to prefer; where it is in use, a free one is taken. */
  port: number;
  logFile: string;
};

export type FromServiceWorker =
  | { kind: 'ready'; introduction: ServiceIntroduction }
  /** The message is a sentence for the person. */
  | { kind: 'failed'; message: string };

export type ToServiceWorker = { kind: 'close' };
