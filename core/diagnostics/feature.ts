// A file with what helps to find a fault, without secrets: versions, settings without places and connections without secrets, states,
// flows, the sizes of the data folder's files, and the end of the log. Everything goes through two masks: by the names of members, and by
// every secret that this app has seen.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Clock, formatInstant } from '@rainbell/shared';
import type { AppStatus, DiagnosticsFile } from '@rainbell/contract/app-rpc';
import type { Feature, Parts } from '../app/feature.ts';
import { filesIn } from '../backup/folder-parts.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import { plainMasker } from '../traffic/mask.ts';

/** As much as the screen shows before it leaves. */
const maxLogBytes = 60_000;

export function diagnostics(parts: Parts): Feature<'diagnostics'> {
  const { dataFolder, clock, mask } = parts;
  const startedAt = clock.now();

  async function collect(): Promise<DiagnosticsFile[]> {
    const log = await logTail(join(dataFolder, 'logs', 'rainbell.log'));
    const files: readonly (readonly [string, string, string])[] = [
      ['about.json', 'Versions, the system, and when the app started', json(about(parts.status(), startedAt, clock))],
      [
        'status.json',
        'What the status bar shows, and token details without the tokens themselves',
        json(await states(parts)),
      ],
      ['settings.json', 'Your settings and connections, without places or secrets', json(settingsOf(parts.settings))],
      ['flows.json', 'The latest sign-ins and refreshes, step by step (masked)', json(parts.session.flows())],
      ['files.json', 'Names and sizes of files in the data folder', json(await ownFilesIn(dataFolder))],
      ['log.txt', `The end of the log, at most ${maxLogBytes / 1000} KB (masked)`, log],
    ];
    return files.map(([name, description, original]) => {
      const text = mask(plainMasker.text(original));
      return { name, description, text, sizeBytes: Buffer.byteLength(text) };
    });
  }

  return {
    handlers: {
      diagnostics: {
        preview: async () => ({ files: await collect() }),
        async export() {
          const files = await collect();
          // Its tables take 7 ms, too much for each start.
          const { strToU8, zipSync } = await import('fflate');
          const zip = zipSync(Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)])));
          const stamp = formatInstant(clock.now()).slice(0, 19).replaceAll(':', '-');
          return { fileName: `rainbell-diagnostics-${stamp}.zip`, zipBase64: Buffer.from(zip).toString('base64') };
        },
      },
    },
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function about({ version, host }: AppStatus, startedAt: number, clock: Clock) {
  const { node, v8, openssl, electron, chrome } = process.versions as Record<string, string | undefined>;
  return {
    rainbell: version,
    host,
    versions: { node, v8, openssl, electron, chrome },
    system: { platform: process.platform, architecture: process.arch },
    startedAt: formatInstant(startedAt),
    writtenAt: formatInstant(clock.now()),
    memoryMegabytes: Math.round(process.memoryUsage().rss / 1_048_576),
  };
}

async function states({ status, session, activeConnection }: Parts) {
  // A service that is still starting would make everyone wait.
  const tokens = activeConnection.present() ? await session.state() : null;
  return { app: status(), session: tokens && { ...tokens, open: null } };
}

function settingsOf(settings: AppSettings) {
  const { savedPlaces, recentPlaces, place: _home, connections, ...others } = settings.get();
  return {
    ...others,
    savedPlaces: `${savedPlaces.length} (left out)`,
    recentPlaces: `${recentPlaces.length} (left out)`,
    connections: connections.map(({ caPem, ...fields }) => ({
      ...fields,
      caPem: caPem === null ? null : '(left out)',
    })),
  };
}

/** Without Chromium's own files, which are thousands. */
async function ownFilesIn(folder: string): Promise<{ name: string; bytes: number }[]> {
  const files = (await filesIn(folder)).filter(({ path }) => !path.startsWith('electron'));
  const named = files.map(({ path, bytes }) => ({ name: path, bytes }));
  return named.toSorted((one, other) => one.name.localeCompare(other.name)).slice(0, 500);
}

/** Whole lines; a first one that was cut is left out. */
async function logTail(file: string): Promise<string> {
  const size = (await stat(file).catch(() => undefined))?.size;
  if (size === undefined) return 'There is no log file.\n';
  const start = Math.max(0, size - maxLogBytes);
  const text = (await buffer(createReadStream(file, { start }))).toString('utf8');
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
}
