// The door of contract/app-rpc: what other packages may use.
export { type AgentAction, type ConsentRequest } from './agents.ts';
export {
  type AppErrorCode,
  appErrorCodes,
  type AppErrorDetails,
  type AppProblem,
  appProblemSchema,
  tokenErrorCodes,
} from './app-errors.ts';
export type {
  AppStatus,
  ConnectionState,
  DesktopState,
  FeedState,
  Notice,
  ReceiverAccess,
  ReceiverState,
  TokenState,
} from './app.ts';
export type { AppBacktest, BacktestQuestion } from './backtest.ts';
export { type HeaderList, headerListSchema } from './base.ts';
export type { CallbackChoice, CallbackFilter, CallbackProof, ImportState } from './callback-files.ts';
export {
  type ExportFormat,
  exportFormats,
  type ImportFormat,
  importFormats,
  importPieceLength,
} from './callback-formats.ts';
export { headLimits } from './callback-head.ts';
export type { OutcomeKind } from './callback-outcome-kinds.ts';
export {
  type CallbackOutcome,
  type CallbackRefusal,
  type CallbackResponse,
  type RefusalReason,
  refusalReasons,
} from './callback-outcome.ts';
export {
  type CallbackQuery,
  matchesPattern,
  parseCallbackFilter,
  parseCallbackQuery,
  type QueryCondition,
  type QueryField,
  type QueryMark,
  type QueryProblem,
  type QueryTerm,
  splitTerms,
} from './callback-query.ts';
export {
  type CallbackSend,
  type ReplaySigning,
  replaySigningSchema,
  type SendRequest,
  type ForwardState,
  type ForwardTarget,
  forwardTargetSchema,
  forwardTargetsSchema,
  isAccepted,
  maxReplays,
  type ReplayRequest,
  type ReplayResult,
  type ReplayRunState,
  responseLimitBytes,
  type SendOutcome,
  type SignAs,
  sendOutcomeSchema,
} from './callback-sends.ts';
export {
  type CallbackOrder,
  callbackOrders,
  verdictLabels,
  type VerdictName,
  verdictNames,
} from './callback-verdicts.ts';
export {
  type Callback,
  type CallbackCheck,
  type EpisodePart,
  type CallbackHistogram,
  type CallbackSummary,
  type CustomRule,
  customRuleSchema,
  customTokens,
  type Endpoint,
  endpointSchema,
  type EndpointState,
  type MatchedDelivery,
  maxReadIds,
  maxUnread,
  type SavedFilter,
  savedFilterSchema,
  type SignatureDiagnosis,
  type UnreadCallbacks,
  type CheckVerdict,
  type WebhookKeySource,
} from './callbacks.ts';
export { type CheckCaseId, checkCaseIds, checkCaseTitles } from './check-cases.ts';
export {
  connectionColors,
  type ConnectionFields,
  connectionFieldsSchema,
  type ConnectionList,
  type ConnectionTestStep,
  type ImportedConnection,
  type SavedConnection,
} from './connections.ts';
export { type AppClient, type AppContract, appContract } from './contract.ts';
export { type Backup, type DataFolder, type DataKind, dataKinds } from './data.ts';
export type { DiagnosticsFile } from './diagnostics.ts';
export type {
  CheckAttempt,
  CheckCaseRequest,
  CheckedCase,
  CheckFinding,
  CheckResult,
  HandlerProblem,
} from './endpoint-check.ts';
export type { InboxState } from './feed.ts';
export type { HandlerEntry, HandlerSession } from './handler.ts';
export {
  type ContractProblem,
  type Forecast,
  type ForecastPoint,
  forecastSchema,
  type StoredFetch,
  type StoredSeries,
  type WeatherIcon,
} from './forecast.ts';
export { type BulkRun, type BulkTask, bulkTaskSchema, maxBulkTasks } from './monitor-bulk.ts';
export { type Front, type NewSilence, type Silence, silenceSchema } from './monitor-fronts.ts';
export {
  type AppDelivery,
  type AppMonitor,
  type CallbackTarget,
  type DeliveryStates,
  type EventQuery,
  type MonitorDelivery,
  type MonitorNotes,
  monitorViewSchema,
  type SavedMonitorView,
} from './monitors.ts';
export type { AppNotification, NotificationTarget } from './notifications.ts';
export type { Place, PlaceBox } from './places.ts';
export type { RadarMinutes } from './radar.ts';
export { conditionProblem, maxHeld, placeholderForm, placeholderProblem } from './rule-text.ts';
export {
  type HeldRequest,
  type HeldResponse,
  type ReceiverRules,
  receiverRulesSchema,
  type ResponseRule,
  type ResponseStep,
} from './rules.ts';
export {
  type Deviation,
  deviationSchema,
  type Flow,
  type FlowStep,
  type SessionState,
  type SignInInput,
  type SignInMethod,
  signInMethods,
  type SignInResult,
  type TokenCard,
  type TokenOwner,
} from './session.ts';
export { type NotificationChoice, type Settings, settingsSchema } from './settings.ts';
export { defaultSettings } from './default-settings.ts';
export { type SettingRow, settingRows, settingSections, settingsTable, type ValueRow } from './settings-table.ts';
export {
  describeCauses,
  explainSignature,
  type SignatureCauseId,
  signatureCauseIds,
  signatureCauses,
} from './signature-causes.ts';
export { type TrafficEntry, type TrafficSummary, trafficSummarySchema } from './traffic.ts';
export type { UpdateState } from './updates.ts';
