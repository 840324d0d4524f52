// The door of core: what other packages may use.
export { shown } from './agents/agent-actions.ts';
export { openAgentLine } from './agents/agent-line.ts';
export type { AgentRequest } from './agents/agent-protocol.ts';
export { type Core, createCore } from './app/create-core.ts';
export { openAppDatabase } from './app/open-app-database.ts';
export { createCallbackExport } from './callbacks/callback-export.ts';
export { bodyFields } from './callbacks/callback-records.ts';
export { type CallbackSearch, createCallbackSearch } from './callbacks/callback-search.ts';
export { type CallbackValidator, createCallbackValidator } from './callbacks/callback-validator.ts';
export { fitsQuery } from './callbacks/query-match.ts';
export { createSendGuard } from './callbacks/send-guard.ts';
export { createRequestSender, type FinishedSend, type RequestSender } from './callbacks/send-request.ts';
export { createSignatureDiagnosis } from './callbacks/signature-diagnosis.ts';
export { createWebhookSecrets } from './callbacks/webhook-secrets.ts';
export { type ActiveConnection, createActiveConnection } from './connection/active-connection.ts';
export {
  clientSecretName,
  type Connection,
  createConnection,
  sandboxId,
  sandboxProfile,
  tokenSecretName,
} from './connection/connection.ts';
export {
  type AppDatabase,
  connectAppDatabase,
  describeStartFailure,
  FolderInUse,
  requireWritableFolder,
} from './database/app-database.ts';
export { caseLines, formatReport, isReportFormat, summaryLine } from './endpoint-check/check-report.ts';
export { createCheckSender, defaultTiming } from './endpoint-check/check-sender.ts';
export { createEndpointCheck, requestsOf } from './endpoint-check/endpoint-check.ts';
export { AppFailure } from './errors/app-failure.ts';
export { createFeedReader } from './feed/feed-reader.ts';
export { getForecast } from './forecast/get-forecast.ts';
export { createAddressFile, readAddressFile } from './hosting/address-file.ts';
export { deepLinkScheme, hashOfDeepLink, maxDeepLinkLength } from './hosting/deep-link.ts';
export { classifySignals } from './hosting/ending-signals.ts';
export { openLog } from './hosting/log-file.ts';
export { announceHost, openPath, requestRunningHost } from './hosting/running-host.ts';
export { createScreenFiles, protectiveHeaders, type ScreenFiles } from './hosting/screen-files.ts';
export { openSecretFile } from './hosting/secret-file.ts';
export type {
  FromServiceProcess,
  ProxyAnswer,
  ProxyQuestion,
  ServiceProcessData,
  ToServiceProcess,
} from './hosting/service-messages.ts';
export { type ServiceRun, type ServiceRunEvents, superviseService } from './hosting/service-supervisor.ts';
export { hostOf } from './http/http-headers.ts';
export { createJsonReader } from './http/json-reader.ts';
export { certificatesIn, plainTransport, type Transport } from './http/transport.ts';
export { createDeliveries, type Deliveries } from './monitors/deliveries.ts';
export { createKnownMonitors } from './monitors/known-monitors.ts';
export { createMonitorNotes, type MonitorNotesStore } from './monitors/monitor-notes.ts';
export { createMonitors, type Monitors } from './monitors/monitors.ts';
export type { DialogOutcome, DialogRequest, Host, HostNotice, SecretsPort } from './ports/host.ts';
export type { Log } from './ports/log.ts';
export { readChoice } from './receiver/access/receiver-access.ts';
export { limitsWith } from './receiver/access/receiver-limits.ts';
export { isWebhookKey, signatureOutcomeOf } from './receiver/checks/signature-check.ts';
export {
  type CallbackPages,
  createCallbackPages,
  type StoredCallback,
  type StoredSummary,
} from './receiver/records/callback-pages.ts';
export { readCounters } from './receiver/records/callback-writer.ts';
export { createFeedCursors } from './receiver/records/feed-store.ts';
export { originForm } from './receiver/requests/path-pattern.ts';
export { createReceiverRulesStore } from './receiver/rules/receiver-rules.ts';
export { createReceiver, type Receiver } from './receiver/server/receiver.ts';
export { createSandboxControl, type SandboxControl } from './sandbox/sandbox-control.ts';
export { createFlowLog } from './session/flow-log.ts';
export { findRevocationEndpoint, revokeToken } from './session/revoke-token.ts';
export { signIn } from './session/sign-in.ts';
export { createAppSettings } from './settings/app-settings.ts';
export { openSettingsFile } from './settings/settings-file.ts';
export type { KnownSecret } from './senders/sender-doctor.ts';
export { bindingOf } from './tokens/stored-token.ts';
export { masking, plainMasker } from './traffic/mask.ts';
