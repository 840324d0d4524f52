// The door of contract/app-rpc: all its types, and of its values what other packages may use.
export type * from './agents.ts';
export type * from './app-errors.ts';
export { appErrorCodes, appProblemSchema, tokenErrorCodes } from './app-errors.ts';
export type * from './app.ts';
export type * from './backtest.ts';
export type * from './base.ts';
export { headerListSchema } from './base.ts';
export type * from './callback-files.ts';
export type * from './callback-formats.ts';
export { exportFormats, importFormats, importPieceLength } from './callback-formats.ts';
export { headLimits } from './callback-head.ts';
export type * from './callback-outcome-kinds.ts';
export type * from './callback-outcome.ts';
export { refusalReasons } from './callback-outcome.ts';
export type * from './callback-query.ts';
export { matchesPattern, parseCallbackFilter, parseCallbackQuery } from './callback-query.ts';
export type * from './callback-sends.ts';
export {
  replaySigningSchema,
  forwardTargetSchema,
  forwardTargetsSchema,
  isAccepted,
  maxReplays,
  responseLimitBytes,
  sendOutcomeSchema,
} from './callback-sends.ts';
export type * from './callback-verdicts.ts';
export { callbackOrders, verdictLabels, verdictNames } from './callback-verdicts.ts';
export type * from './callbacks.ts';
export { customRuleSchema, customTokens, endpointSchema, maxUnread, savedFilterSchema } from './callbacks.ts';
export type * from './check-cases.ts';
export { checkCaseIds, checkCaseTitles } from './check-cases.ts';
export type * from './connections.ts';
export { connectionColors, connectionFieldsSchema } from './connections.ts';
export type * from './contract.ts';
export { appContract } from './contract.ts';
export type * from './data.ts';
export { dataKinds } from './data.ts';
export type * from './diagnostics.ts';
export type * from './endpoint-check.ts';
export type * from './feed.ts';
export type * from './handler.ts';
export type * from './forecast.ts';
export { forecastSchema } from './forecast.ts';
export type * from './monitor-bulk.ts';
export { maxBulkTasks } from './monitor-bulk.ts';
export type * from './monitor-fronts.ts';
export { silenceSchema } from './monitor-fronts.ts';
export type * from './monitors.ts';
export { monitorViewSchema } from './monitors.ts';
export type * from './notifications.ts';
export type * from './places.ts';
export type * from './radar.ts';
export { conditionProblem, maxHeld, placeholderForm, placeholderProblem } from './rule-text.ts';
export type * from './rules.ts';
export { receiverRulesSchema } from './rules.ts';
export type * from './session.ts';
export { deviationSchema, signInMethods } from './session.ts';
export type * from './settings.ts';
export { settingsSchema } from './settings.ts';
export { defaultSettings } from './default-settings.ts';
export type * from './settings-table.ts';
export { settingRows, settingSections, settingsTable } from './settings-table.ts';
export type * from './signature-causes.ts';
export { describeCauses, explainSignature, signatureCauseIds, signatureCauses } from './signature-causes.ts';
export type * from './traffic.ts';
export { trafficSummarySchema } from './traffic.ts';
export type * from './updates.ts';
