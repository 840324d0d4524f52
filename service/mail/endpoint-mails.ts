// Emails about failing callbacks. They contain no callback URL, which may contain a secret.
import { plural } from '@rainbell/shared';
import { type NewMail, noticeMail } from './outbox.ts';

type Facts = { name: string; email: string; url: string; failing: number; off: number };

const optOut = 'You can turn these emails off on your account page.';

export function endpointFailingMail({ name, email, url, failing }: Facts): NewMail {
  return noticeMail(email, `Rainbell: callbacks for ${oneLine(name)} are failing`, [
    plural(
      failing,
      [
        'The latest events for # monitor in your application "{name}" could not be delivered. Check the server that receives its callbacks.',
        'The latest events for # monitors in your application "{name}" could not be delivered. Check the server that receives their callbacks.',
      ],
      { name },
    ),
    `After 24 failed events in a row, the service turns off delivery for a monitor. Deliveries and responses: ${url}`,
    optOut,
  ]);
}

export function endpointOffMail({ name, email, url, off }: Facts): NewMail {
  return noticeMail(email, `Rainbell: delivery for ${oneLine(name)} was turned off`, [
    plural(
      off,
      [
        'Delivery is off for # monitor in your application "{name}" because its callbacks kept failing or the server returned 410 Gone.',
        'Delivery is off for # monitors in your application "{name}" because their callbacks kept failing or the server returned 410 Gone.',
      ],
      { name },
    ),
    `When the server is working again, turn delivery back on: ${url}`,
    optOut,
  ]);
}

export function endpointRecoveredMail({ name, email, url }: Facts): NewMail {
  return noticeMail(email, `Rainbell: callbacks for ${oneLine(name)} are working again`, [
    `All monitors in your application "${name}" are working again.`,
    `Deliveries: ${url}`,
    optOut,
  ]);
}

function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').slice(0, 60);
}
