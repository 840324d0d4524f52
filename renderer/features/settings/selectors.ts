// What other features may do with the settings.
import type { AppState } from '../../store/app-state.ts';

/** Reads the diagnostics, and shows them for a review. */
export function reviewDiagnostics(state: AppState): void {
  void state.diagnostics.preview();
}
