// Reads the body of a weather response (docs/interface.md §4.3, §2.3): each point separately and with the position of its JSON
// text, so that one broken point does not affect the others, and the chart and the raw JSON can be shown side by side.
import { forecastHorizonHours, type LatLng } from '@rainbell/contract/service-api';
import type { ContractProblem, ForecastPoint } from '@rainbell/contract/app-rpc';
import { hourMs, isJsonObject, parseTimestamp } from '@rainbell/shared';
import { type JsonReading, jsonBounds, readJsonText } from '../http/read-json.ts';
import { responseLimits } from '../http/response-limits.ts';
import { readPoint } from './read-point.ts';

export type ForecastReading = { points: ForecastPoint[]; problems: ContractProblem[] };

/** `itemRanges`: where each point's JSON begins and ends in the text. */
export function readForecast({ value, itemRanges }: JsonReading, query: LatLng): ForecastReading {
  if (!isJsonObject(value)) {
    return {
      points: [],
      problems: [{ field: '', message: 'The response must be an object with the fields “objects” and “meta”.' }],
    };
  }
  const problems: ContractProblem[] = [];
  const { meta, objects } = value;
  if (!isJsonObject(meta)) problems.push({ field: 'meta', message: 'meta is missing or not an object.' });
  if (!Array.isArray(objects)) {
    problems.push({ field: 'objects', message: 'objects is missing or not a list.' });
    return { points: [], problems };
  }
  const points = objects.map((point: unknown, index) =>
    readPoint(point, { index, query, textRange: itemRanges[index] ?? [0, 0] }),
  );
  return { points, problems: [...problems, ...orderProblems(points)] };
}

/** The same for a body that was kept, which may come from an app with other limits; never throws. */
export function readStoredForecast(bodyText: string, query: LatLng): ForecastReading {
  const outcome = readJsonText(bodyText, jsonBounds(responseLimits.forecast.items));
  if (outcome.ok) return readForecast(outcome, query);
  return { points: [], problems: [{ field: '', message: 'The body is too large to be a forecast.' }] };
}

/**
 * The first point is the current one; the others follow in ascending order, up to 72 hours ahead (docs/interface.md
 * §4.3, §8).
 */
function orderProblems(points: readonly ForecastPoint[]): ContractProblem[] {
  if (points.length === 0)
    return [{ field: 'objects', message: 'objects is empty; at least the current weather is expected.' }];
  const problems: ContractProblem[] = [];
  const dated = points.flatMap(({ index, timestamp }) => {
    const at = timestamp === null ? undefined : parseTimestamp(timestamp);
    return at === undefined ? [] : [{ index, at }];
  });
  const unordered = dated.find(({ at }, place) => {
    const before = dated[place - 1];
    return before !== undefined && before.index > 0 && at <= before.at;
  });
  if (unordered) {
    problems.push({
      field: `objects[${unordered.index}].timestamp`,
      message: 'The forecast points are not in chronological order.',
    });
  }
  const [first] = dated;
  const beyond = dated.find(({ at }) => first && at - first.at > (forecastHorizonHours + 1) * hourMs);
  if (beyond) {
    problems.push({
      field: `objects[${beyond.index}].timestamp`,
      message: 'The forecast extends more than 72 hours ahead.',
    });
  }
  return problems;
}
