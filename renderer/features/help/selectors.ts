// What other features may do with the help.
import type { AppState } from '../../store/app-state.ts';

export function openHelp(state: AppState, page: string, section?: string): void {
  state.frame.goTo('help');
  state.help.open(page, section);
}

export function searchHelp(state: AppState, text: string): void {
  state.frame.goTo('help');
  state.help.setSearch(text);
}
