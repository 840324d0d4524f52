// The value of each setting that the user has not changed. Without zod, so that the first screen loads it alone.

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
  zoomPercent: 100,
  receiverPort: 4545,
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
    shortcut: null,
    checksSpelling: null,
  },
  checksForUpdates: true,
  providerContact: null,
  skippedVersion: null,
  place: { name: 'Torino', countryCode: 'IT', lat: 45.0703, lng: 7.6869, population: null },
} as const;
