// The search box over the loaded callbacks: words found anywhere in a row, and operators (`method:POST`, `monitor:17`,
// `path:/hooks`, `status:503`, `from:127`). Every part must fit; case does not matter.
import type { CallbackSummary } from '#contract/procedures/callbacks.ts';
import { type CallbackLog, emptyLog, rowAt, rowCount } from './callback-log.ts';

const fields: Readonly<Record<string, (row: CallbackSummary) => string>> = {
  method: ({ method }) => method,
  monitor: ({ monitorId }) => monitorId ?? '',
  path: ({ target }) => target,
  status: ({ answeredStatus }) => (answeredStatus === 0 ? 'closed' : String(answeredStatus)),
  from: ({ remoteAddress }) => remoteAddress,
};

/** The rows that fit; the log itself where nothing is asked. Ids still fall down the list. */
export function searched(log: CallbackLog, text: string): CallbackLog {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean).map(readPart);
  if (parts.length === 0) return log;
  const found = emptyLog();
  for (let index = 0; index < rowCount(log); index++) {
    const row = rowAt(log, index);
    if (row && parts.every((fits) => fits(row))) found.older.push(row);
  }
  return found;
}

function readPart(part: string): (row: CallbackSummary) => boolean {
  const [name = '', ...rest] = part.split(':');
  const field = Object.hasOwn(fields, name) && rest.length > 0 ? fields[name] : undefined;
  if (field) return (row) => field(row).toLowerCase().includes(rest.join(':'));
  return (row) => Object.values(fields).some((read) => read(row).toLowerCase().includes(part));
}
