// What other features may do with the record of events.
import type { AppState } from '../../store/app-state.ts';
import { lastDay } from './events-slice.ts';

/** Shows the events of 30 days of a monitor, by its ID, or of a front. */
export function showEvents(state: AppState, { text = '', front = '' }: { text?: string; front?: string }): void {
  state.events.select(null);
  state.events.showAs('events');
  void state.events.setFilter({ ...lastDay, range: 'month', front });
  void state.events.setText(text);
  state.frame.goTo('events');
}
