// What the website's pages work with; made once, by register-website.ts.
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { LatLng, Location } from '@rainbell/contract/service-api';
import type { Clock } from '@rainbell/shared';
import type { Config } from '../config/config.ts';
import type { Db } from '../database/tables.ts';
import type { DocumentedOperation } from '../http/operation.ts';
import type { Admission } from '../limits/admission.ts';
import type { Fleet } from '../limits/limiter.ts';
import type { Links } from '../mail/links.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { DeliveryLog } from '../monitors/delivery/delivery-log.ts';
import type { EventRecords } from '../monitors/events/event-record.ts';
import type { WebhookSecrets } from '../monitors/delivery/signing.ts';
import type { SendToApi } from '../oauth/call-api.ts';
import type { OAuth } from '../oauth/create-oauth.ts';
import type { SetupCode } from '../setup/setup-code.ts';
import type { OutcomeLog } from '../verification/outcome-log.ts';
import type { Weather } from '../weather/weather.ts';
import type { Visitors } from './layout/visitor.ts';

export type DialogDependencies = {
  clock: Clock;
  log: Logger;
  db: Db;
  oauth: OAuth;
  baseUrl: string;
  signingKey: Buffer;
};

export type WebsiteDependencies = DialogDependencies & {
  config: Config;
  weatherStatus: () => Promise<WeatherStatus>;
  /** Undefined if one process counts all. */
  fleet?: Fleet;
  /** From admission.ts. Runs after a page's headers are set, so that its errors have them too. */
  admission?: Admission;
  mailer: Mailer;
  links: Pick<Links, 'find'>;
  /** The API's routes, for the website's forms. */
  api: Pick<FastifyInstance, 'inject'>;
  operations: readonly DocumentedOperation[];
  deliveryLog: Pick<DeliveryLog, 'states'>;
  records: Pick<EventRecords, 'page'>;
  locate: (place: LatLng) => Promise<Location | undefined>;
  outcomeLog: OutcomeLog;
  secrets: WebhookSecrets;
  /** Of a service at home; undefined once there is an account. */
  setupCode?: SetupCode | undefined;
};

export type WeatherStatus = Omit<Awaited<ReturnType<Weather['status']>>, 'scenarios'>;

export type Website = Omit<WebsiteDependencies, 'oauth'> &
  OAuth & {
    visitors: Visitors;
    send: SendToApi;
    /** Names the places of monitors, by ID. Those that were deleted, or are near no town, have none. */
    nameMonitors: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
    /** For the failure of a change that may reveal a taken address: counts it, and throws a ServiceError if there were too many. */
    countTaken: (address: string) => (error: unknown) => Promise<never>;
  };
