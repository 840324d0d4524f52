// What host and service process (or thread) tell each other. The service itself they meet over HTTP only.
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';

export type ServiceProcessData = {
  dataFolder: string;
  /** The port to prefer; where it is in use, a free one is taken. */
  port: number;
  logFile: string;
  /** Settings of the app for the service. Variables of the process take precedence. */
  environment: Readonly<Record<string, string>>;
};

export type FromServiceProcess =
  | { kind: 'ready'; introduction: ServiceIntroduction }
  /** The message is a sentence for the person. */
  | { kind: 'failed'; message: string };

export type ToServiceProcess = { kind: 'close' };
