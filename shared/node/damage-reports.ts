// Damage reports as files: `report.json` in the folder of each damaged database (replace-database.ts), and
// `app.sqlite.damage-found.json` while damage found at run time waits for the next start.
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../time/clock.ts';
import { type DamageReport, damageReportSchema } from '../errors/damage-report.ts';
import { describeDamage } from '../errors/describe-damage.ts';
import { formatInstant } from '../time/timestamp.ts';
import { namesIn, writePrivateFile } from './private-files.ts';

/** The databases of a data folder, whether they exist or not. */
export function databasesIn(dataFolder: string): string[] {
  return [join(dataFolder, 'app.sqlite'), join(dataFolder, 'service', 'service.sqlite')];
}

const reportName = 'report.json';
const acknowledgedName = 'report.acknowledged.json';
const maxReportBytes = 100_000;

export function saveReport(folder: string, report: DamageReport): void {
  writePrivateFile(join(folder, reportName), JSON.stringify(report, undefined, 2));
}

/** Returns the reports of these databases that are not acknowledged, oldest first. Never throws. */
export function readReports(databaseFiles: readonly string[]): DamageReport[] {
  return databaseFiles.flatMap((file) => {
    const names = namesIn(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.damaged-`));
    const reports = names.toSorted().map((name) => join(dirname(file), name, reportName));
    return [...reports, foundFile(file)].flatMap(readReport);
  });
}

/** Returns the same as sentences for a terminal or a log. */
export function describeReports(databaseFiles: readonly string[]): string[] {
  return readReports(databaseFiles).map((report) => {
    const { title, lines } = describeDamage(report);
    return [title, ...lines].join(' ');
  });
}

/** Hides a report permanently by renaming its file. Returns false if there is no such report. */
export function acknowledgeReport(databaseFiles: readonly string[], id: string): boolean {
  for (const file of databaseFiles) {
    const folder = join(dirname(file), basename(id));
    if (!existsSync(join(folder, reportName))) continue;
    renameSync(join(folder, reportName), join(folder, acknowledgedName));
    return true;
  }
  return false;
}

/** Records that the database is damaged, for the next start and for all who show reports. */
export function reportFound(databaseFile: string, detail: string, clock: Clock): DamageReport {
  const report: DamageReport = {
    id: basename(foundFile(databaseFile)),
    at: formatInstant(clock.now()),
    database: basename(databaseFile),
    state: 'pending',
    detail,
    folder: null,
    copiedAt: null,
    missingBodies: 0,
  };
  try {
    writePrivateFile(foundFile(databaseFile), JSON.stringify(report));
  } catch {
    // Without room for it, the next start finds the damage again.
  }
  return report;
}

/** Returns the damage that a running process found, to follow "because"; undefined if none is pending. */
export function foundDetail(databaseFile: string): string | undefined {
  return readReport(foundFile(databaseFile))[0]?.detail;
}

export function clearFound(databaseFile: string): void {
  rmSync(foundFile(databaseFile), { force: true });
}

function foundFile(databaseFile: string): string {
  return `${databaseFile}.damage-found.json`;
}

function readReport(file: string): DamageReport[] {
  try {
    if (statSync(file).size > maxReportBytes) return [];
    return [damageReportSchema.parse(JSON.parse(readFileSync(file, 'utf8')))];
  } catch {
    return [];
  }
}
