// Stores where a running Rainbell can be reached, in a file of its data folder that only its owner can read, for the command line.
// A killed process leaves its file behind, so readers check the folder's lock too.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const addressesSchema = z.object({
  /** Of the sandbox service on this machine; null while it starts, or where it failed. */
  service: z.url().nullable(),
  /** Where callbacks arrive. */
  receiver: z.url().nullable(),
});
export type Addresses = z.infer<typeof addressesSchema>;

export function createAddressFile(dataFolder: string, onFailed: (error: unknown) => void) {
  const file = fileIn(dataFolder);
  let written: string | undefined;
  return {
    /** Writes changed addresses. If the folder cannot be written to, only the command line is affected: it can't find the app. */
    write(addresses: Addresses) {
      const text = `${JSON.stringify(addresses)}\n`;
      if (text === written) return;
      written = text;
      try {
        writeFileSync(`${file}.new`, text, { mode: 0o600 });
        // The mode above counts for a new file only.
        chmodSync(`${file}.new`, 0o600);
        renameSync(`${file}.new`, file);
      } catch (error) {
        onFailed(error);
      }
    },
    remove: (): void => rmSync(file, { force: true }),
  };
}

/** Undefined if there is no file, or it is unreadable. */
export function readAddressFile(dataFolder: string): Addresses | undefined {
  try {
    return addressesSchema.parse(JSON.parse(readFileSync(fileIn(dataFolder), 'utf8')));
  } catch {
    return undefined;
  }
}

function fileIn(dataFolder: string): string {
  return join(dataFolder, 'addresses.json');
}
