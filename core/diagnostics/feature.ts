import type { Feature, Parts } from '../app/feature.ts';
import { createDiagnostics } from './diagnostics.ts';

/** A file with what helps to find a fault, without secrets. */
export function diagnostics(parts: Parts): Feature<'diagnostics'> {
  return { handlers: { diagnostics: createDiagnostics(parts) } };
}
