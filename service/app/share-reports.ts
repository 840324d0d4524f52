// A user's report affects all processes on the database: each drops cached responses around it.
import type { LatLng } from '@rainbell/contract/service-api';
import type { Notices } from '../database/notices.ts';
import type { Weather } from '../weather/weather.ts';

/** Listens to other processes; returns a function to call once a report at that place is stored. */
export function shareReports(notices: Notices, weather: Pick<Weather, 'clearResponses'>): (place: LatLng) => void {
  notices.listen('report', {
    onNotice(text) {
      const [lat = 0, lng = 0] = text.split(' ').map(Number);
      weather.clearResponses({ lat, lng });
    },
    onGap: () => weather.clearResponses(),
  });
  return (place) => {
    weather.clearResponses(place);
    notices.send('report', `${place.lat} ${place.lng}`);
  };
}
