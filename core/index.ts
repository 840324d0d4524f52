// The door of core: what other packages may use.
export { shown } from './agents/agent-actions.ts';
export { appMissing } from './agents/consents.ts';
export { type Core, createCore } from './app/create-core.ts';
export type { CommandReceiver } from './receiver/server/absent-receiver.ts';
export { bodyFields } from './callbacks/callback-records.ts';
export { verifyProof } from './callbacks/callback-proof.ts';
export { clientSecretName, sandboxId, tokenSecretName } from './connection/connection.ts';
export { describeStartFailure, FolderInUse, requireWritableFolder } from './app/open-app-database.ts';
export { caseLines, reportFormats, summaryLine } from './endpoint-check/check-report.ts';
export { AppFailure } from './errors/app-failure.ts';
export { deepLinkScheme, hashOfDeepLink, maxDeepLinkLength } from './hosting/deep-link.ts';
export { classifySignals } from './hosting/classify-signals.ts';
export { openLog } from './hosting/open-log.ts';
export { AppLost, findRunningApp, isFolderInUse, requestNewAddress, type RunningApp } from './hosting/running-app.ts';
export { createScreenFiles, protectiveHeaders, type ScreenFiles } from './hosting/screen-files.ts';
export { openSecretFile } from './hosting/secret-file.ts';
export type {
  FromServiceProcess,
  ProxyAnswer,
  ProxyQuestion,
  ServiceProcessData,
  ToServiceProcess,
} from './hosting/service-messages.ts';
export { superviseService, type SupervisorOptions } from './hosting/service-supervisor.ts';
export { hostOf } from './http/http-headers.ts';
export { certificatesIn, plainTransport, type Transport } from './http/transport.ts';
export type { DialogOutcome, DialogRequest, Host, HostNotice, SecretsPort } from './ports/host.ts';
export type { Log } from './ports/log.ts';
export { forwardUrl } from './sends/forwarder.ts';
export { runReplay } from './sends/replay-run.ts';
export { openSettingsFile } from './settings/settings-file.ts';
export { masking, plainMasker } from './traffic/mask.ts';
