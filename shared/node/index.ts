// The door of shared/node: what other packages may use.
export {
  type CallbackPolicy,
  callbackUrlProblem,
  isAddressRange,
  privateProblem,
  targetOf,
} from './callback-address.ts';
export { type CallbackGuard, createCallbackGuard, forbiddenCode } from './callback-guard.ts';
export { type Cities, type City, readAllCities, townDistance } from './cities.ts';
export { closeServer } from './close-server.ts';
export {
  type ConnectionLimits,
  connectionLimits,
  limitConnections,
  maxResponseHeaderBytes,
} from './connection-limits.ts';
export { checkDatabase } from './copy-database.ts';
export { countHosts } from './count-hosts.ts';
export { acknowledgeReport, databasesIn, describeReports, readReports, reportFound } from './damage-reports.ts';
export { defaultDataFolder, userName } from './data-folder.ts';
export { copiedFile, createCopy, createCopyNow, keepDailyCopies, listCopies } from './database-copies.ts';
export { type FileLock, lockFile } from './file-lock.ts';
export { FileLostError, watchFile } from './watch-file.ts';
export { readFirstLine } from './first-line.ts';
export { createDatabaseFile, explainStorageError } from './open-database-file.ts';
export { listenAt } from './listen.ts';
export { pause } from './pause.ts';
export {
  fileStamp,
  makePrivateFolder,
  privateFileMode,
  reportOpenFolder,
  syncFolder,
  writePrivateFile,
} from './private-files.ts';
export { cancelPlan, finishReplacement, pendingRestore, planRestore, replaceIfNeeded } from './replace-database.ts';
export { setProxyResolver, systemProxyFor, trustSystemCertificates } from './system-network.ts';
