// Attributions of the weather and place data, with the text and link that each license requires next to the data. The app shows
// those listed in a point's `sources` (docs/interface.md §2.3); the website shows all that the service uses.

export type Attribution = {
  /** Matches this provider's values in `sources`; null: used everywhere. */
  match: RegExp | null;
  name: string;
  credit: string;
  url: string;
  licence: string;
  /** URL of the license, or of the provider's terms of use. */
  termsUrl: string;
  /** When a provider is used, if not always. */
  condition?: string;
  /** The service does not have this data. */
  isAppOnly?: true;
};

/** The live weather providers by ID, in the order in which `auto` queries them (CONTRIBUTING.md describes how to add one). */
export const providerAttributions = {
  'open-meteo': {
    match: /open-?meteo/i,
    name: 'Open-Meteo',
    credit: 'Weather data by Open-Meteo.com',
    url: 'https://open-meteo.com/',
    licence: 'CC BY 4.0',
    termsUrl: 'https://open-meteo.com/en/terms',
  },
  // Their product names Yr and NRK must not be used for the data.
  'met-norway': {
    match: /met-?norway|met\.no/i,
    name: 'MET Norway',
    condition: 'only if you set a contact',
    credit: 'Data from MET Norway',
    url: 'https://www.met.no/en',
    licence: 'CC BY 4.0 / NLOD 2.0',
    termsUrl: 'https://api.met.no/doc/License',
  },
} as const satisfies Record<string, Attribution>;

export const attributions: readonly Attribution[] = [
  ...Object.values<Attribution>(providerAttributions),
  {
    match: /metar|aviationweather/i,
    name: 'Aviation Weather Center',
    credit: 'METAR observations from aviationweather.gov',
    url: 'https://aviationweather.gov/',
    licence: 'public domain, US government',
    termsUrl: 'https://www.weather.gov/disclaimer',
  },
  {
    match: null,
    name: 'GeoNames',
    credit: 'Places from GeoNames',
    url: 'https://www.geonames.org/',
    licence: 'CC BY 4.0',
    termsUrl: 'https://creativecommons.org/licenses/by/4.0/',
  },
  {
    match: null,
    isAppOnly: true,
    name: 'airport-data-js',
    credit: 'Airports from airport-data-js',
    url: 'https://github.com/aashishvanand/airport-data-js',
    licence: 'CC BY 4.0',
    termsUrl: 'https://creativecommons.org/licenses/by/4.0/',
  },
  {
    // @photostructure/tz-lookup is built from timezone-boundary-builder, which is built from OpenStreetMap.
    match: null,
    name: 'OpenStreetMap',
    credit: 'Time zones © OpenStreetMap contributors',
    url: 'https://www.openstreetmap.org/copyright',
    licence: 'ODbL 1.0',
    termsUrl: 'https://opendatacommons.org/licenses/odbl/1-0/',
  },
];
