// What an import does with each entry of a file: added, added under another name, or refused with a reason.
import { type ConnectionFields, connectionFieldsSchema, type ImportedConnection } from '@rainbell/contract/app-rpc';
import { formatIssue, normalUrl, valueAt } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import { checkFields, tidyFields } from './connection-rules.ts';

/** What is here already. */
export type Known = Pick<ConnectionFields, 'name' | 'baseUrl' | 'clientId'>;

type ImportDecision = { report: ImportedConnection; fields?: ConnectionFields };

const shape = connectionFieldsSchema.shape;
/** Four fields must be there; what a hand-written file leaves out gets the form's defaults. */
const entrySchema = connectionFieldsSchema.extend({
  color: shape.color.default('gray'),
  isPublic: shape.isPublic.default(false),
  redirectUri: shape.redirectUri.default(''),
  scope: shape.scope.default(''),
  caPem: shape.caPem.default(null),
  proxyUrl: shape.proxyUrl.default(null),
});

const fieldNames: Readonly<Record<string, string>> = {
  name: 'The name',
  baseUrl: 'The base URL (baseUrl)',
  authUrl: 'The sign-in URL (authUrl)',
  clientId: 'The client ID (clientId)',
};

/** Returns one decision per entry. */
export function decideImport(entries: readonly unknown[], known: readonly Known[]): ImportDecision[] {
  const names = new Set(known.map(({ name }) => name.toLowerCase()));
  return entries.map((entry, index) => {
    const decision = decide(entry, index, known);
    if (!decision.fields) return decision;
    const savedAs = freeName(decision.fields.name, names);
    names.add(savedAs.toLowerCase());
    return named(decision, decision.fields, savedAs);
  });
}

function decide(entry: unknown, index: number, known: readonly Known[]): ImportDecision {
  const report: ImportedConnection = {
    index,
    name: textIn(entry, 'name') || `Entry ${index + 1}`,
    baseUrl: textIn(entry, 'baseUrl'),
    outcome: 'refused',
    savedAs: null,
    notes: [],
  };
  try {
    const fields = tidyFields(readEntry(entry));
    checkFields(fields);
    const notes = notesOf(entry, fields, known);
    return {
      report: { ...report, name: fields.name, baseUrl: fields.baseUrl, notes },
      fields,
    };
  } catch (error) {
    if (error instanceof AppFailure) return { report: { ...report, notes: [error.message] } };
    throw error;
  }
}

function named(decision: ImportDecision, fields: ConnectionFields, savedAs: string): ImportDecision {
  const isSame = savedAs === fields.name;
  const note = isSame ? [] : [`A connection named ${fields.name} already exists, so this one is renamed ${savedAs}.`];
  const report: ImportedConnection = {
    ...decision.report,
    outcome: isSame ? 'added' : 'renamed',
    savedAs,
    notes: [...note, ...decision.report.notes],
  };
  return { ...decision, report, fields: { ...fields, name: savedAs } };
}

/** Throws AppFailure INVALID_INPUT with all that is wrong in one sentence. */
function readEntry(entry: unknown): ConnectionFields {
  const parsed = entrySchema.safeParse(entry);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? '');
  if (!issue || field === '') throw refused('It is not an object with a connection’s fields.');
  const name = fieldNames[field] ?? `The field “${field}”`;
  throw refused(`${name} ${formatIssue(issue, entry)}.`);
}

function refused(sentence: string): AppFailure {
  return new AppFailure('INVALID_INPUT', sentence, { field: 'file' });
}

function notesOf(entry: unknown, fields: ConnectionFields, known: readonly Known[]): string[] {
  const strangers = Object.keys(entry as object).filter((name) => !Object.hasOwn(entrySchema.shape, name));
  const isTwin = ({ baseUrl, clientId }: Known) =>
    clientId === fields.clientId && normalUrl(baseUrl) === normalUrl(fields.baseUrl);
  const twin = known.find(isTwin);
  return [
    ...(twin ? [`${twin.name} already uses this client ID with the same service.`] : []),
    ...(strangers.length > 0 ? [`Not supported by Rainbell and skipped: ${strangers.join(', ').slice(0, 200)}.`] : []),
  ];
}

/** The name itself, or with the first free number behind it; a field has room for 100 characters. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name.toLowerCase())) return name;
  for (let number = 2; ; number += 1) {
    const suffix = ` (${number})`;
    const candidate = `${name.slice(0, 100 - suffix.length)}${suffix}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

function textIn(entry: unknown, name: string): string {
  const value = valueAt(entry, [name]);
  return typeof value === 'string' ? value.slice(0, 200) : '';
}
