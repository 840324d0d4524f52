// Whose data the weather and the places are, with the words and links that their licences ask for.
export type DataSource = { match: RegExp | null; name: string; words: string; url: string; licence: string };

export const dataSources: readonly DataSource[] = [
  {
    match: /open-?meteo/i,
    name: 'Open-Meteo',
    words: 'Weather data by Open-Meteo.com',
    url: 'https://open-meteo.com/',
    licence: 'CC BY 4.0',
  },
  {
    match: /met-?norway|yr\b|met\.no/i,
    name: 'MET Norway',
    words: 'Data from MET Norway',
    url: 'https://www.met.no/en',
    licence: 'CC BY 4.0',
  },
  {
    match: /metar|aviationweather/i,
    name: 'Aviation Weather Center',
    words: 'METAR observations from aviationweather.gov',
    url: 'https://aviationweather.gov/',
    licence: 'public domain (US government)',
  },
  {
    match: null,
    name: 'GeoNames',
    words: 'Places from GeoNames',
    url: 'https://www.geonames.org/',
    licence: 'CC BY 4.0',
  },
];
