// Shows failing callbacks on every page of the account.
import { plural } from '@rainbell/shared';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Incident } from '../../monitors/incidents.ts';
import { timeText } from './dates.ts';
import { icon } from './icons.ts';

export const shownIncidents = 3;

const offTexts = [
  'Delivery is off for # monitor in {name}. Callbacks have been failing since {time}.',
  'Delivery is off for # monitors in {name}. Callbacks have been failing since {time}.',
] as const;
const failingTexts = [
  'Callbacks for # monitor in {name} have been failing since {time}.',
  'Callbacks for # monitors in {name} have been failing since {time}.',
] as const;

export function incidentBanner(incidents: readonly Incident[]): SafeHtml {
  return html`${incidents.slice(0, shownIncidents).map(
    ({ applicationId, name, beganAt, failing, off }) =>
      html`<div class="feedback warning" role="status" data-incident="${off > 0 ? 'off' : 'failing'}">
        ${icon('alert')}
        <p>
          ${plural(off || failing, off > 0 ? offTexts : failingTexts, { name, time: timeText(beganAt) })}
          <a href="/applications/${applicationId}/monitors/">Show monitors</a>
        </p>
      </div>`,
  )}`;
}
