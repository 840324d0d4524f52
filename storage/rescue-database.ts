// Rescues a damaged SQLite database: copies every readable row into a new file, checks it, and replaces the old file
// (rescue-plan.ts). The damaged file and its log stay unchanged under a new name.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import type { DamageReport } from '#contract/app-rpc/damage-report.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { carryOut, damagedName, type RescuePlan } from './rescue-plan.ts';
import { openSqlitePages } from './sqlite-pages.ts';
import {
  openSqliteTrees,
  type RowidRange,
  type SqliteRow,
  type SqliteTrees,
  type SqliteValue,
  type TreeReport,
} from './sqlite-tree.ts';

export type CopiedTable = TreeReport & { kept: number };

/** How much of a body file the copied rows refer to. */
export type BodyClaim = 'whole' | 'part' | 'none';

/** The copied rows, so that the database's owner can make them consistent. */
export type CopiedRows = {
  tables: ReadonlyMap<string, CopiedTable>;
  /** Rows of the `derived` tables in the damaged file. They are not copied. */
  derived: ReadonlyMap<string, readonly SqliteRow[]>;
};

export type RescueOptions = {
  file: string;
  clock: Clock;
  /** The damage, to follow "because". */
  detail: string;
  /** An empty database with the current schema, closed; it becomes the new file. */
  target: string;
  /** Names for the rows of a table in the report. Other tables are copied but not listed. */
  labels: Readonly<Record<string, string>>;
  /** Tables that `finish` computes from others. */
  derived: readonly string[];
  /** Makes the copied rows consistent. `lost` replaces a table's number of lost rows if `finish` has a better one. */
  finish: (
    db: DatabaseSync,
    copied: CopiedRows,
  ) => { remarks: string[]; lost?: Readonly<Record<string, number | null>> };
  /** Files next to the database that its rows refer to. */
  bodies?: { folder: string; claimOn: (db: DatabaseSync, file: string) => BodyClaim };
};

/**
 * Call it while no process has the file open. Throws errors of the file system and SQLite, for example on a full disk; then the
 * damaged file and its bodies are unchanged, and `abandonRescue` frees the space.
 */
export function rescueDatabase(options: RescueOptions): DamageReport {
  const { file, target, clock } = options;
  const kept = damagedName(file, clock);
  const db = new DatabaseSync(target);
  let outcome: ReturnType<typeof copyRows>;
  let bodies: RescuePlan['bodies'];
  try {
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN');
    outcome = copyRows(db, options);
    bodies = planBodies(db, options.bodies);
    db.exec('COMMIT');
    requireSound(db);
  } finally {
    db.close();
  }
  syncFile(target);
  const report: DamageReport = {
    id: basename(kept),
    at: formatInstant(clock.now()),
    database: basename(file),
    state: 'rescued',
    detail: options.detail,
    keptAs: existsSync(file) || existsSync(`${file}-wal`) ? basename(kept) : null,
    tables: outcome.tables,
    keptBodyFiles: bodies.files.length,
    remarks: outcome.remarks,
  };
  carryOut(file, { kept: basename(kept), target: basename(target), bodies, report });
  return report;
}

function requireSound(db: DatabaseSync): void {
  const result = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (result !== 'ok') throw new Error(`the rescued database failed its integrity check: ${String(result)}`);
}

function planBodies(db: DatabaseSync, bodies: RescueOptions['bodies']): RescuePlan['bodies'] {
  if (!bodies || !existsSync(bodies.folder)) return { folder: '', files: [] };
  const files = readdirSync(bodies.folder).flatMap((name) => {
    const claim = bodies.claimOn(db, join(bodies.folder, name));
    return claim === 'whole' ? [] : [{ name, claim }];
  });
  return { folder: basename(bodies.folder), files };
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function copyRows(db: DatabaseSync, options: RescueOptions) {
  const pages = openSqlitePages(options.file);
  try {
    const trees = openSqliteTrees(pages);
    const roots = findRoots(trees);
    const tables = tablesIn(db).filter(({ name }) => !name.startsWith('sqlite_') && !name.startsWith('kysely_'));
    const copies = new Map<string, TableCopy>();
    const derived = new Map<string, SqliteRow[]>();
    for (const table of tables) {
      const root = roots.get(table.name);
      if (options.derived.includes(table.name)) {
        derived.set(table.name, root === undefined ? [] : readAll(trees, root));
        continue;
      }
      const copy = createTableCopy(db, table);
      copies.set(table.name, copy);
      if (root === undefined) copy.missing();
      else copy.report(trees.read(root, copy.insert));
    }
    copySequences(db, trees, roots.get('sqlite_sequence'));
    const isIncomplete = [...copies.values()].some(({ result }) => result.unreadablePages > 0);
    if (isIncomplete) adopt(trees, [...copies.values()]);
    const copied = { tables: new Map([...copies].map(([name, { result }]) => [name, result])), derived };
    const { remarks, lost = {} } = options.finish(db, copied);
    const outcomes = Object.entries(options.labels).flatMap(([name, label]) => {
      const result = copied.tables.get(name);
      if (!result) return [];
      const kept = Number(db.prepare(`SELECT count(*) AS count FROM ${quoted(name)}`).get()?.['count']);
      const unread = lostRows(result);
      // `finish` may have deleted rows that nothing refers to anymore, and may have added some.
      const leftOut = Math.max(0, result.kept - kept);
      const rows = name in lost ? (lost[name] ?? null) : unread === null ? null : unread + leftOut;
      return kept === 0 && rows === 0 ? [] : [{ label, kept, lost: rows }];
    });
    return { tables: outcomes, remarks };
  } finally {
    pages.close();
  }
}

/** Returns the readable rows of one table of a damaged file. */
export function readDamagedTable(file: string, table: string): SqliteRow[] {
  const pages = openSqlitePages(file);
  try {
    const trees = openSqliteTrees(pages);
    const root = findRoots(trees).get(table);
    return root === undefined ? [] : readAll(trees, root);
  } finally {
    pages.close();
  }
}

function lostRows({ unreadablePages, unreadableRows }: TreeReport): number | null {
  return unreadablePages > 0 ? null : unreadableRows;
}

function readAll(trees: SqliteTrees, root: number): SqliteRow[] {
  const rows: SqliteRow[] = [];
  trees.read(root, (row) => void rows.push(row));
  return rows;
}

/** Returns root pages by table: from the schema's own tree or, if that is damaged, from any page that looks like part of it. */
function findRoots(trees: SqliteTrees): Map<string, number> {
  const roots = new Map<string, number>();
  const note = ({ values }: SqliteRow) => {
    const [type, name, , root] = values;
    if (type === 'table' && typeof name === 'string' && typeof root === 'number') roots.set(name, root);
  };
  const { unreadablePages, unreadableRows } = trees.read(1, note);
  if (unreadablePages + unreadableRows === 0) return roots;
  for (const rows of trees.unreached('all')) if (rows.every(isSchemaRow)) rows.forEach(note);
  return roots;
}

function isSchemaRow({ values: [type, name, table, root, sql, ...more] }: SqliteRow): boolean {
  const isKind = type === 'table' || type === 'index' || type === 'view' || type === 'trigger';
  const hasNames = typeof name === 'string' && typeof table === 'string' && typeof root === 'number';
  return isKind && hasNames && (sql === null || typeof sql === 'string') && more.length === 0;
}

type Column = { name: string; type: string; isRequired: boolean; keyPosition: number };
type Table = { name: string; hasRowid: boolean; columns: Column[]; alias: string | undefined };

function tablesIn(db: DatabaseSync): Table[] {
  return db
    .prepare("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all()
    .map((row) => {
      const name = String(row['name']);
      const hasRowid = row['wr'] === 0;
      const columns = db
        .prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?)')
        .all(name)
        .map((column) => ({
          name: String(column['name']),
          type: String(column['type']).toUpperCase(),
          isRequired: column['notnull'] === 1,
          keyPosition: Number(column['pk']),
        }));
      const keys = columns.filter(({ keyPosition }) => keyPosition > 0);
      const alias = hasRowid && keys.length === 1 && keys[0]?.type === 'INTEGER' ? keys[0].name : undefined;
      return { name, hasRowid, alias, columns: hasRowid ? columns : keysFirst(columns) };
    });
}

/** The order in which a WITHOUT ROWID table stores its columns. */
function keysFirst(columns: readonly Column[]): Column[] {
  const keys = columns.filter(({ keyPosition }) => keyPosition > 0);
  const others = columns.filter(({ keyPosition }) => keyPosition === 0);
  return [...keys.toSorted((one, other) => one.keyPosition - other.keyPosition), ...others];
}

type TableCopy = {
  table: Table;
  result: CopiedTable;
  /** How many columns its readable rows had; rows from before an added column have fewer. */
  widths: ReadonlySet<number>;
  insert: (row: SqliteRow) => void;
  /** Like `insert`, for a row that may be an outdated copy of a stored one: a refusal is not a loss. */
  adopt: (row: SqliteRow) => void;
  report: (report: TreeReport) => void;
  missing: () => void;
};

const everything: RowidRange = { first: 1, last: Number.MAX_SAFE_INTEGER };

function createTableCopy(db: DatabaseSync, table: Table): TableCopy {
  const result: CopiedTable = { kept: 0, unreadablePages: 0, unreadableRows: 0, lostRanges: [] };
  const widths = new Set<number>();
  const statements = new Map<number, ReturnType<DatabaseSync['prepare']>>();

  function statementFor(width: number) {
    const known = statements.get(width);
    if (known) return known;
    const names = table.columns.slice(0, width).map(({ name }) => quoted(name));
    const sql = `INSERT OR IGNORE INTO ${quoted(table.name)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    const made = db.prepare(sql);
    statements.set(width, made);
    return made;
  }

  function adopt({ rowid, values }: SqliteRow): boolean {
    if (!fits(table, values) || !store(rowid, values)) return false;
    result.kept += 1;
    widths.add(values.length);
    return true;
  }

  function insert(row: SqliteRow): void {
    if (adopt(row)) return;
    const { rowid } = row;
    result.unreadableRows += 1;
    if (rowid > 0) result.lostRanges.push({ first: rowid, last: rowid });
  }

  function store(rowid: number, values: readonly SqliteValue[]): boolean {
    const bound = values.map((value, index) => (table.columns[index]?.name === table.alias ? rowid : value));
    try {
      return Number(statementFor(values.length).run(...(bound as SQLInputValue[])).changes) === 1;
    } catch (error) {
      if (isConstraint(error)) return false;
      throw error;
    }
  }

  return {
    table,
    result,
    widths,
    insert,
    adopt: (row) => void adopt(row),
    report(report) {
      result.unreadablePages += report.unreadablePages;
      result.unreadableRows += report.unreadableRows;
      result.lostRanges.push(...report.lostRanges);
    },
    missing() {
      result.unreadablePages += 1;
      result.lostRanges.push(everything);
    },
  };
}

/** SQLITE_CONSTRAINT or SQLITE_MISMATCH: the row is not one that Rainbell wrote. */
function isConstraint(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && [19, 20].includes(Number(error.errcode) & 0xff);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Whether a decoded record can be a row of this table, by number and types of its values. */
function fits({ columns, alias }: Table, values: readonly SqliteValue[]): boolean {
  if (values.length === 0 || values.length > columns.length) return false;
  return values.every((value, index) => {
    const column = columns[index];
    if (!column) return false;
    if (column.name === alias) return value === null;
    return value === null ? !column.isRequired : hasType(value, column.type);
  });
}

function hasType(value: SqliteValue, type: string): boolean {
  if (/INT/.test(type)) return typeof value === 'bigint' || Number.isInteger(value);
  if (/TEXT|CHAR|CLOB/.test(type)) return typeof value === 'string';
  if (/REAL|FLOA|DOUB/.test(type)) return typeof value === 'number';
  return type === 'BLOB' ? Buffer.isBuffer(value) : true;
}

/** Adds rows of pages without a parent to the only table that they fit; drops them if they fit several. */
function adopt(trees: SqliteTrees, copies: readonly TableCopy[]): void {
  const withRowid = copies.filter(({ table }) => table.hasRowid);
  for (const rows of trees.unreached('used')) {
    const fitting = withRowid.filter(({ table, widths }) =>
      rows.every(
        ({ values }) => fits(table, values) && (widths.has(values.length) || values.length === table.columns.length),
      ),
    );
    const [only] = fitting;
    if (rows.length > 0 && only && fitting.length === 1) rows.forEach(only.adopt);
  }
}

/** AUTOINCREMENT never assigns an ID twice, even if the rows with the highest IDs are lost. */
function copySequences(db: DatabaseSync, trees: SqliteTrees, root: number | undefined): void {
  if (root === undefined || !db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get()) return;
  const raise = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?');
  const start = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  for (const { values } of readAll(trees, root)) {
    const [name, last] = values;
    if (typeof name !== 'string' || typeof last !== 'number') continue;
    if (Number(raise.run(last, name).changes) === 0) start.run(name, last);
  }
}
