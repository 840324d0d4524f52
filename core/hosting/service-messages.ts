// The messages between the host and the service's process (or thread). They use the service itself over HTTP only.
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';

export type ServiceProcessData = {
  dataFolder: string;
  /** The preferred port; if it is in use, the service picks a free one. */
  port: number;
  logFile: string;
  /** Settings of the app for the service. Variables of the process take precedence. */
  environment: Readonly<Record<string, string>>;
};

export type FromServiceProcess =
  | { kind: 'ready'; introduction: ServiceIntroduction }
  /** The message is a sentence for the user. */
  | { kind: 'failed'; message: string };

export type ToServiceProcess = { kind: 'close' };
