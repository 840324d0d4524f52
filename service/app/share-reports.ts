// A user's report affects all processes on the database: each drops cached responses around it.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { Notices } from '#service/database/notices.ts';
import type { Weather } from '#service/weather/create-weather.ts';

/** Listens to other processes; returns a function to call once a report at that place is stored. */
export function shareReports(notices: Notices, weather: Pick<Weather, 'forgetAnswers'>): (place: LatLng) => void {
  notices.listen('report', {
    onNotice(text) {
      const [lat = 0, lng = 0] = text.split(' ').map(Number);
      weather.forgetAnswers({ lat, lng });
    },
    onGap: () => weather.forgetAnswers(),
  });
  return (place) => {
    weather.forgetAnswers(place);
    notices.send('report', `${place.lat} ${place.lng}`);
  };
}
