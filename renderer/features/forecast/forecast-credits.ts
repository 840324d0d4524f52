// Whose data a forecast is.
import type { Forecast } from '@rainbell/contract/app-rpc';
import { attributions } from '@rainbell/shared';

/** Credits its sources, as their licenses ask for it. */
export function credits({ points }: Forecast): string {
  const sources = new Set(points.flatMap((point) => point.sources ?? []));
  return attributions
    .filter(({ match }) => match !== null && [...sources].some((source) => match.test(source)))
    .map(({ credit, licence }) => `${credit} (${licence}).`)
    .join(' ');
}
