// What other features may do with the record of events.
import type { AppState } from '../../store/app-state.ts';
import { type EventFilter, lastDay } from './events-slice.ts';

/** Shows the events of 30 days of a monitor, by its ID, or of the rest of the filter. */
export function showEvents(state: AppState, { text = '', ...filter }: Partial<EventFilter> & { text?: string }): void {
  state.events.select(null);
  state.events.showAs('events');
  void state.events.setFilter({ ...lastDay, range: 'month', ...filter });
  void state.events.setText(text);
  state.frame.goTo('events');
}
