// Events as the service sends them (docs/delivery.md): the Monitor as JSON, signed by Standard Webhooks.
import { createHmac, randomBytes } from 'node:crypto';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { type Clock, productVersion, projectPage } from '@rainbell/shared';

/** One event of one monitor; `body` is the same for all of its attempts. */
export type CheckEvent = { id: string; body: string };

export type SignOptions = {
  /** The attempt's time, in seconds from now; negative for the past. */
  shiftSeconds?: number;
  /** Each adds a signature, in this order. */
  secrets?: readonly string[];
};

export type CheckEvents = ReturnType<typeof createCheckEvents>;

type CheckEventsOptions = { url: string; secret: string; monitorId: string | null; clock: Pick<Clock, 'now'> };

/** The monitor that events name if the user names none. */
export const madeUpMonitor = 'precipitation_1';

export function createCheckEvents({ url, secret, monitorId, clock }: CheckEventsOptions) {
  const plain: HeaderList = [
    ['content-type', 'application/json'],
    ['user-agent', `Rainbell/${productVersion} (+${projectPage})`],
  ];
  const timeOf = (shiftSeconds: number) => Math.floor(clock.now() / 1000) + shiftSeconds;
  const idHeaders = ({ id }: CheckEvent, timestamp: number): HeaderList => [
    ['webhook-id', id],
    ['webhook-timestamp', String(timestamp)],
  ];
  return {
    secret,
    /** Another event with each call. `more` adds members to the Monitor. */
    create({
      monitorId: id = monitorId ?? madeUpMonitor,
      more = {},
    }: { monitorId?: string; more?: Readonly<Record<string, unknown>> } = {}): CheckEvent {
      const monitor = {
        uri: `/v2/monitors/${encodeURIComponent(id)}/`,
        geo: { type: 'Point', coordinates: [7.6869, 45.0703] },
        id,
        callback_uri: url,
        monitor_type: 'precipitation',
        ...more,
      };
      return { id: `check_${randomBytes(16).toString('hex')}`, body: JSON.stringify(monitor) };
    },
    /** Headers of an attempt. */
    sign(event: CheckEvent, { shiftSeconds = 0, secrets = [secret] }: SignOptions = {}): HeaderList {
      const timestamp = timeOf(shiftSeconds);
      const signed = `${event.id}.${timestamp}.${event.body}`;
      const signatures = secrets.map((one) => `v1,${createHmac('sha256', keyOf(one)).update(signed).digest('base64')}`);
      return [...plain, ...idHeaders(event, timestamp), ['webhook-signature', signatures.join(' ')]];
    },
    unsigned: (event: CheckEvent): HeaderList => [...plain, ...idHeaders(event, timeOf(0))],
  };
}

/** A random secret that no service has. */
export function unknownSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}
