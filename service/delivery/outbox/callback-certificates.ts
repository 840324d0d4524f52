// The operator's certificates, which callbacks trust in addition to the system's.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readText } from '@rainbell/shared';
import { StartError } from '../../errors/start-error.ts';

/** Reads the certificates of a PEM file. Throws StartError. */
export function readCallbackCertificates(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    const pem = readText(readFileSync(file)).text;
    if (new X509Certificate(pem).raw.length > 0) return pem;
  } catch (error) {
    throw new StartError(
      'settings',
      `RAINBELL_CALLBACK_CA_FILE must be the path of a readable PEM file with certificates, but ${file} is not one.`,
      { cause: error },
    );
  }
  return undefined;
}
