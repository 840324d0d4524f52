// The door of contract/service-api: what other packages may use.
export { type Backtest, backtestExtension, backtestSchema, describeBacktest } from './backtest.ts';
export { collection, collectionSchema } from './collection.ts';
export {
  deliveryMetaSchema,
  type DeliveryState,
  deliveryStateSchema,
  type EvidenceKind,
  evidenceKinds,
  type Outcome,
  pausedReason,
  sentEventSchema,
  type Verification,
} from './delivery.ts';
export { inboxIdPrefix } from './event-ids.ts';
export {
  type EventPage,
  eventPageSchema,
  eventPageSizes,
  type EventRecord,
  type EventState,
  eventStateLabels,
  eventStates,
  formatEventEnd,
  formatEventsCsv,
  summarizeEvent,
  undeliveredStates,
} from './events.ts';
export { formatFailure, shortErrorText } from './failure-text.ts';
export {
  feedEnd,
  type FeedEvent,
  feedEventSchema,
  feedExtension,
  feedMetaSchema,
  type FeedPage,
  feedPageSizes,
  feedSchema,
  inboxExtension,
  type InboxRequest,
  inboxRequestSchema,
  inboxSchema,
  maxInboxBodyBytes,
  maxFeedWaitSeconds,
} from './feed.ts';
export {
  frontGapMs,
  type FrontList,
  frontListSchema,
  groupEvents,
  minFrontMonitors,
  type PlacedEvent,
} from './fronts.ts';
export {
  anyGeoSchema,
  bearingDegrees,
  distanceKm,
  type GeoPoint,
  geoPointSchema,
  globePointSchema,
  isSamePlace,
  latitudeSchema,
  type LatLng,
  latLngSchema,
  longitudeSchema,
  toGeoPoint,
  toLatLng,
} from './geo.ts';
export { formatHttpDate, lifetimeMs, parseHttpDate, retryAfterSeconds } from './http-date.ts';
export {
  formatExplanation,
  formatUtcTime,
  type MonitorExplanation,
  monitorExplanationSchema,
} from './monitor-explanation.ts';
export {
  callbackUriLimit,
  eventIntervalSeconds,
  type MonitorBody,
  monitorBodySchema,
  monitorSchema,
  type MonitorType,
  monitorTypes,
} from './monitor.ts';
export { nowcastExtension, nowcastMetaSchema, nowcastSchema, nowcastStepSchema } from './nowcast.ts';
export {
  documentedFormType,
  type GrantKind,
  grantKinds,
  type GrantType,
  grantTypes,
  knownScopes,
  standardFormType,
  type TokenResponse,
} from './oauth.ts';
export { formatOutcome, formatVerification } from './outcome-text.ts';
export {
  type ChosenEvent,
  conditionsSchema,
  type EndReason,
  type EventBasis,
  type EventRules,
  eventRulesOf,
  monitorOptions,
  type MonitorOptions,
  type OptionChanges,
  optionsOf,
  optionsProblem,
  type PrecipitationType,
  precipitationTypes,
  type RainEvent,
  rainEventSchema,
  rainEventTypes,
} from './rain-event.ts';
export { readRainSeries, seriesMaxCharacters, statusOfKind } from './rain-series.ts';
export {
  callbackAuthoritySchema,
  type ClockMove,
  clockMoveSchema,
  formatRain,
  type LiveProvider,
  liveProviders,
  type NewScenario,
  newScenarioSchema,
  type NewSeries,
  newSeriesSchema,
  type NewWeatherFault,
  newWeatherFaultSchema,
  type ProviderChoice,
  providerChoices,
  providerChoiceSchema,
  type Rain,
  rainAt,
  rainSchema,
  type SandboxState,
  sandboxStateSchema,
  type SandboxWebhookSecrets,
  sandboxWebhookSecretsSchema,
  type Scenario,
  scenarioSchema,
  type ServiceAnnouncement,
  type ServiceIntroduction,
  serviceIntroductionSchema,
  type WeatherFault,
  type WeatherFaultKind,
} from './sandbox.ts';
export { type ErrorBody, errorBodySchema, type ServiceErrorCode, serviceErrors } from './service-errors.ts';
export {
  iconName,
  iconNames,
  isKnownStatus,
  type Status,
  statuses,
  statusLabel,
  statusPrecipitation,
} from './vocabulary.ts';
export { meltedPerSnow, waterOf } from './water.ts';
export {
  forecastHorizonHours,
  type Location,
  locationSchema,
  type Measured,
  measuredSchema,
  readableMeasured,
  type WeatherPoint,
  type WeatherPointField,
  weatherPointSchema,
  weatherSchema,
} from './weather.ts';
export { type WebhookKeySet, webhookKeySetSchema } from './webhook-keys.ts';
