// Interface of a weather recorder (service/verification/archive-writer.ts). Both methods return at once and never throw, because
// they run between a weather check and its event.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Observation } from '#service/weather/metar/read-metar.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import type { Nowcast } from '#service/weather/met-norway/nowcast.ts';

export type WeatherRecorder = {
  /** Records a sweep's data of a cell. */
  saw(cell: LatLng, known: { forecast: CellWeather; nowcast?: Nowcast | undefined }, now: number): void;
  /** Records airports' reports, including those far from monitors. */
  observed(observations: readonly Observation[], now: number): void;
};
