// The value of each setting that the user has not changed. Without zod, so that the first screen loads little.

export const defaultSettings = {
  publicBase: null,
  theme: 'system',
  zone: 'place',
  temperatureUnit: 'system',
  precipitationUnit: 'system',
  windUnit: 'system',
  pressureUnit: 'system',
  clockFormat: 'system',
  density: 'compact',
  receiverPort: 4545,
  readsFeed: false,
  keptLimits: {
    keptCallbacks: 1_000_000,
    keptDays: null,
    keptMegabytes: 4096,
    bodyKilobytes: 1024,
    headerKilobytes: 16,
  },
  notifications: { isOn: true, quiet: null },
  desktop: {
    opensAtLogin: false,
    startsHidden: true,
    onLastWindowClosed: 'keep-running',
    checksSpelling: null,
  },
  checksForUpdates: true,
  providerContact: null,
  skippedVersion: null,
  getStarted: 'open',
  place: { name: 'Turin', countryCode: 'IT', lat: 45.0703, lng: 7.6869, population: null },
} as const;
