// Whose data a forecast is.
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { attributions } from '#shared/attributions.ts';

/** Credits its sources, as their licenses ask for it. */
export function credits({ points }: Forecast): string {
  const sources = new Set(points.flatMap((point) => point.sources ?? []));
  return attributions
    .filter(({ match }) => match !== null && [...sources].some((source) => match.test(source)))
    .map(({ credit, licence }) => `${credit} (${licence}).`)
    .join(' ');
}
