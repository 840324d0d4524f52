// Reads the body of a weather answer (§4.3, §2.3): each point on its own, with the place of its JSON text, so one broken
// point spoils no other, and the chart and the raw JSON can be shown side by side.
import { getNodeValue, parseTree, type Node } from 'jsonc-parser';
import type { LatLng } from '#contract/geo.ts';
import type { ContractProblem, ForecastPoint } from '#contract/procedures/forecast.ts';
import { forecastHorizonHours } from '#contract/weather.ts';
import { parseTimestamp } from '#contract/timestamp.ts';
import { readPoint } from './read-point.ts';

export type ForecastReading = { points: ForecastPoint[]; problems: ContractProblem[] };

/** `bodyText` is valid JSON. */
export function readForecast(bodyText: string, query: LatLng): ForecastReading {
  const root = parseTree(bodyText);
  if (root?.type !== 'object') {
    return { points: [], problems: [{ field: '', message: 'The body is no object with objects and meta (§2.1).' }] };
  }
  const problems: ContractProblem[] = [];
  if (member(root, 'meta')?.type !== 'object') {
    problems.push({ field: 'meta', message: 'meta is missing or no object (§2.1).' });
  }
  const objects = member(root, 'objects');
  if (objects?.type !== 'array') {
    problems.push({ field: 'objects', message: 'objects is missing or no list (§2.1).' });
    return { points: [], problems };
  }
  const points = (objects.children ?? []).map((node, index) =>
    readPoint(getNodeValue(node), { index, query, textRange: [node.offset, node.offset + node.length] }),
  );
  return { points, problems: [...problems, ...orderProblems(points)] };
}

function member(object: Node, name: string): Node | undefined {
  // The last of repeated members counts, as in JSON.parse.
  return object.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

/** The first point is the current one; the others follow in ascending order, up to 72 hours ahead (§4.3, §8). */
function orderProblems(points: readonly ForecastPoint[]): ContractProblem[] {
  if (points.length === 0)
    return [{ field: 'objects', message: 'objects is empty; at least the current weather is expected (§4.3).' }];
  const problems: ContractProblem[] = [];
  const instants = points.map((point) => (point.timestamp === null ? undefined : parseTimestamp(point.timestamp)));
  const unordered = instants.findIndex((instant, index) => {
    const before = instants[index - 1];
    return index > 1 && instant !== undefined && before !== undefined && instant <= before;
  });
  if (unordered > 0) {
    problems.push({
      field: `objects[${unordered}].timestamp`,
      message: 'The forecast points are not in ascending order of time (§4.3).',
    });
  }
  const [first] = instants;
  const beyond = instants.findIndex(
    (instant) => first !== undefined && instant !== undefined && instant - first > hoursMs(forecastHorizonHours + 1),
  );
  if (beyond > 0) {
    problems.push({
      field: `objects[${beyond}].timestamp`,
      message: 'The forecast reaches further than 72 hours ahead (§8).',
    });
  }
  return problems;
}

function hoursMs(hours: number): number {
  return hours * 3_600_000;
}
