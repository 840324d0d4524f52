// Parses MET Norway's Locationforecast 2.0: hourly steps for some days, then one every six hours. Returns its steps without
// interpolation, and drops a step without a period, which is how the document ends.
import { measuredOf } from '../../reading/measured-values.ts';
import { requireCurrentWeather } from '../../reading/require-current-weather.ts';
import { inUnit } from '../../reading/provider-units.ts';
import { type CellWeather, ProviderFailure, type Rainfall, type Reading } from '../../reading/reading.ts';
import { withWind } from '../../reading/wmo-status.ts';
import { instantValues, type MetDocument, type MetStep, readMetDocument } from './met-document.ts';
import { statusOfSymbol } from './met-status.ts';

export const metNorwayName = 'met-norway';

const hourMs = 3_600_000;
/** The watch checks 15 minutes ahead, and stored data is served for some hours. */
const hoursOfRainfall = 9;

/** Throws a ProviderFailure if the body has no forecast. */
export function readLocationforecast(body: unknown, fetchedAt: number): CellWeather {
  const document = readMetDocument(metNorwayName, body);
  const steps = document.steps.flatMap((step) => readStep(step, document.units));
  if (steps.every(({ status }) => status === 'unknown')) {
    throw new ProviderFailure(metNorwayName, 'its response has no time step with weather');
  }
  return requireCurrentWeather({
    source: metNorwayName,
    grid: document.grid,
    fetchedAt,
    steps,
    rainfall: document.steps.flatMap((step) => readRainfall(step, document.units)).slice(0, hoursOfRainfall),
  });
}

function readStep(step: MetStep & { at: number }, units: MetDocument['units']): Reading[] {
  const { next_1_hours: hour, next_6_hours: sixHours, next_12_hours: halfDay } = step.data;
  const symbol = (hour?.summary ?? sixHours?.summary ?? halfDay?.summary)?.symbol_code;
  if (symbol === undefined) return [];
  const instant = instantValues(step, units);
  const status = withWind(statusOfSymbol(symbol), instant.wind_speed);
  const isFrozen = status === 'snowy' || status === 'snow flurries';
  // The amount is the liquid equivalent, not the depth of snow. A sum of six hours is not one of the hour.
  const rainfall = isFrozen ? undefined : amountOfHour(step, units);
  return [{ at: step.at, status, ...measuredOf({ ...instant, rainfall }) }];
}

/** Reads `next_1_hours`, the sum of the hour after the step. */
function readRainfall(step: MetStep & { at: number }, units: MetDocument['units']): Rainfall[] {
  const amount = amountOfHour(step, units);
  return amount === undefined ? [] : [{ from: step.at, until: step.at + hourMs, mmPerHour: amount }];
}

function amountOfHour({ data }: MetStep, units: MetDocument['units']): number | undefined {
  const amount = data.next_1_hours?.details?.['precipitation_amount'];
  return inUnit('precipitation', amount, units['precipitation_amount']);
}
