// What a backup consists of, and its manifest. A backup is a folder with the same layout as a data folder, so that its files can
// also be used by hand.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { timestampSchema } from '#contract/app-rpc/base.ts';

export const appDatabase = 'app.sqlite';
export const bodiesFolder = 'app.sqlite-bodies';
export const serviceDatabase = 'service/service.sqlite';
export const settingsFile = 'settings.json';
export const backupsFolder = 'backups';
const manifestName = 'backup.json';

const manifestSchema = z.object({
  rainbellBackup: z.literal(1),
  createdAt: timestampSchema,
  appVersion: z.string(),
  files: z
    .array(
      z.object({
        // Nothing outside of the backup's own folder.
        path: z
          .string()
          .regex(/^(?:app\.sqlite|app\.sqlite-bodies\/\d+\.bodies(?:\.new)?|service\/service\.sqlite|settings\.json)$/),
        bytes: z.number().int(),
        sha256: z.string(),
      }),
    )
    .max(100_000),
});
export type Manifest = z.infer<typeof manifestSchema>;

export function manifestFile(folder: string): string {
  return join(folder, manifestName);
}

/** Undefined if the folder has no readable manifest. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(manifestFile(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

export async function describeFile(folder: string, path: string): Promise<Manifest['files'][number]> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, path)), hash);
  return { path, bytes: statSync(join(folder, path)).size, sha256: hash.digest('hex') };
}

/** Describes the first file that differs from the manifest; undefined if none does. */
export async function findDamagedFile(folder: string, { files }: Manifest): Promise<string | undefined> {
  for (const expected of files) {
    if (!existsSync(join(folder, expected.path))) return `${expected.path} is missing`;
    // Reading all at once would only fight over the disk.
    // oxlint-disable-next-line no-await-in-loop
    const found = await describeFile(folder, expected.path);
    if (found.bytes !== expected.bytes) return `${expected.path} is ${found.bytes} bytes instead of ${expected.bytes}`;
    if (found.sha256 !== expected.sha256) return `${expected.path} was changed or damaged`;
  }
  return undefined;
}
