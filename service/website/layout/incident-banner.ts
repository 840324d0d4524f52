// Shows failing callbacks on every page of the account.
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Incident } from '#service/delivery/outbox/endpoint-incidents.ts';
import { timeText } from './dates.ts';
import { icon } from './icons.ts';

/** Maximum number of incidents named. */
export const shownIncidents = 3;

/** Empty without incidents. */
export function incidentBanner(incidents: readonly Incident[]): SafeHtml {
  return html`${incidents.slice(0, shownIncidents).map(
    ({ applicationId, name, beganAt, failing, off }) =>
      html`<div class="feedback warning" role="status" data-incident="${off > 0 ? 'off' : 'failing'}">
        ${icon('alert')}
        <p>
          ${
            off > 0
              ? `Delivery to ${count(off)} of ${name} is off. Callbacks have failed since ${timeText(beganAt)}.`
              : `Callbacks of ${count(failing)} of ${name} have failed since ${timeText(beganAt)}.`
          }
          <a href="/applications/${applicationId}/monitors/">Show monitors</a>
        </p>
      </div>`,
  )}`;
}

function count(monitors: number): string {
  return monitors === 1 ? '1 monitor' : `${monitors} monitors`;
}
