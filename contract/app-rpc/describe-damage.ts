// Formats a damage report as text. The app's banner, the command line, the operator's tool, and the service's log all show it.
// It is separate from the schema, so that the screens don't load zod.
import { plural } from '#shared/text/plural.ts';
import type { DamageReport, TableOutcome } from './damage-report.ts';

type DatabaseTexts = { name: string; whilePending: string; folder: string };

const databases: Readonly<Record<string, DatabaseTexts>> = {
  'app.sqlite': {
    name: 'The app’s database (callbacks, traffic, forecast history)',
    whilePending:
      'Rainbell can’t store anything until it restarts. New callbacks get status 503, so that their senders try again.',
    folder: 'the data folder',
  },
  'service.sqlite': {
    name: 'The weather service’s database (accounts, applications, monitors)',
    whilePending: 'The service can’t store anything until it restarts, and rejects requests that change data.',
    folder: 'the data folder’s service folder',
  },
};

/** Returns sentences: what happened, what was kept, what was lost, and what to do. */
export function describeDamage(report: DamageReport): { title: string; lines: string[] } {
  const { name, whilePending, folder } = databases[report.database] ?? {
    name: report.database,
    whilePending: 'Nothing can be stored until the program restarts.',
    folder: 'its folder',
  };
  if (report.state === 'pending') {
    return {
      title: `${name} is damaged: ${report.detail}.`,
      lines: [
        whilePending,
        'Restart Rainbell. It will then copy every readable row into a new file and keep the damaged one.',
      ],
    };
  }
  const kept = report.tables.filter((table) => table.kept > 0).map((table) => `${table.label} (${count(table.kept)})`);
  return {
    title: `${name} was damaged: ${report.detail}.`,
    lines: [
      kept.length > 0 ? `Kept: ${kept.join(', ')}.` : 'Kept: nothing, because no rows were readable.',
      describeLosses(report.tables),
      ...report.remarks,
      ...(report.keptAs === null ? [] : [`Damaged file: ${report.keptAs} in ${folder}.`]),
      ...(report.keptBodyFiles === 0
        ? []
        : [`Bodies of lost callbacks: ${report.id}-bodies in ${folder} (${countFiles(report.keptBodyFiles)}).`]),
      'Check the disk for errors, and use a backup to restore what is missing. Keep the damaged file until you have what you need.',
    ],
  };
}

function describeLosses(tables: readonly TableOutcome[]): string {
  const known = tables.flatMap(({ label, lost }) => (lost === null || lost === 0 ? [] : [`${label} (${count(lost)})`]));
  const unknown = tables.filter(({ lost }) => lost === null).map(({ label }) => label);
  const sentences = [
    ...(known.length > 0 ? [`Lost: ${known.join(', ')}.`] : []),
    ...(unknown.length > 0 ? [`Lost (number unknown): ${unknown.join(', ')}.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : 'No known losses.';
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function countFiles(number: number): string {
  return plural(number, ['# file', '# files']);
}
