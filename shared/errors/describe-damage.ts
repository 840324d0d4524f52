// A damage report as text, for the banner, terminals, and logs. Apart from its schema, so that the screens don't load zod.
import { plural } from '../text/plural.ts';
import type { DamageReport } from './damage-report.ts';

type DatabaseTexts = { name: string; contents: string; whilePending: string };

const databases: Readonly<Record<string, DatabaseTexts>> = {
  'app.sqlite': {
    name: 'The app’s database',
    contents: 'callbacks, traffic, forecasts, and notes',
    whilePending:
      'Rainbell can’t store anything until it restarts. New callbacks get status 503, so that their senders try again.',
  },
  'service.sqlite': {
    name: 'The weather service’s database',
    contents: 'accounts, applications, monitors, and deliveries',
    whilePending: 'The service can’t store anything until it restarts, and rejects requests that change data.',
  },
};

/** Returns sentences: what happened, from when the opened copy is, what is missing, and where the damaged file is. */
export function describeDamage(report: DamageReport): { title: string; lines: string[] } {
  const { name, contents, whilePending } = databases[report.database] ?? {
    name: report.database,
    contents: 'its data',
    whilePending: 'Nothing can be stored until the program restarts.',
  };
  if (report.state === 'pending') {
    return {
      title: `${name} is damaged: ${report.detail}.`,
      lines: [
        whilePending,
        'Restart Rainbell. It then opens the newest intact copy, and keeps the damaged file in a separate folder.',
      ],
    };
  }
  const { at, copiedAt, missingBodies, folder } = report;
  return {
    title: `${name} was damaged: ${report.detail}.`,
    lines: [
      copiedAt === null
        ? `There was no intact copy, so Rainbell started with an empty database. Missing: ${contents}.`
        : `Rainbell opened the copy from ${formatMinute(copiedAt)}. Missing: all changes to ${contents} from then until ${formatMinute(at)}.`,
      ...(missingBodies === 0
        ? []
        : [plural(missingBodies, ['The body of # callback is missing.', 'The bodies of # callbacks are missing.'])]),
      `The damaged file is in ${folder}. Check the disk for errors.`,
    ],
  };
}

/** In UTC, because terminals and logs show it too. */
function formatMinute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
