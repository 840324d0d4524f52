// The door of shared: what other packages may use.
export { type Attribution, attributions, providerAttributions } from './attributions.ts';
export { allCommands, type CommandId, commandIds, commandOf, contextTitles } from './commands/all-commands.ts';
export {
  type Command,
  type CommandContext,
  type CommandTable,
  contextParents,
  keyNameOf,
  keyParts,
  withKey,
} from './commands/command.ts';
export { chartKeys, forecastCommands } from './commands/forecast-commands.ts';
export { frameCommands } from './commands/frame-commands.ts';
export {
  callbackCommands,
  helpCommands,
  monitorCommands,
  settingsCommands,
  trafficCommands,
} from './commands/screen-commands.ts';
export { rowHeights } from './design/row-heights.ts';
export { designTokens } from './design/tokens.ts';
export { type DamageReport, damageReportSchema } from './errors/damage-report.ts';
export { describeDamage } from './errors/describe-damage.ts';
export { formatIssue, formatSchemaError, valueAt } from './errors/schema-error.ts';
export { describeStorageError, isDamage, storageCauseOf, storageRemedy } from './errors/storage-error.ts';
export { systemCode } from './errors/system-code.ts';
export { type HelpNode, type HelpPage, type HelpSection, type HelpTag, textOfNodes } from './help-page.ts';
export { isLoopback } from './network/loopback.ts';
export { parseCallbackAddress } from './network/parse-callback-address.ts';
export { normalTarget, normalUrl } from './network/same-url.ts';
export { once } from './once.ts';
export { pick } from './pick.ts';
export { productVersion, projectPage } from './project.ts';
export { charsetOfBytes } from './text/charset.ts';
export { parseDegrees, parseLatLng, writeDegrees } from './text/coordinate-text.ts';
export { csvCell, unguarded } from './text/csv-cell.ts';
export { isJsonObject, parseExactly, parseJsonObject } from './text/exact-json.ts';
export { formatList } from './text/format-list.ts';
export { headerText, isConnectionHeader, readableHeaders } from './text/header-text.ts';
export { hiddenCharactersNote } from './text/hidden-characters-note.ts';
export { maskText } from './text/mask-text.ts';
export { plural } from './text/plural.ts';
export { notUnicode, readText, type ReadText } from './text/read-text.ts';
export { printable, printableLines } from './text/terminal-text.ts';
export { cutText, escapeHidden, textPieces, visibleText } from './text/visible-text.ts';
export { type CancelTimer, type Clock, dayMs, hourMs, jumpMs, minuteMs, systemClock } from './time/clock.ts';
export { formatInstant, formatTimestamp, parseTimestamp } from './time/timestamp.ts';
export { within } from './time/within.ts';
