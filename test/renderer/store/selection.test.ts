// The selection of rows in the app's store: a second toggle takes a row out again, in both lists.
import { expect, test } from 'vitest';
import { createAppStore } from '#renderer/app/app-store.ts';
import { silentClient } from '../silent-client.ts';

test('a monitor that is toggled twice is not selected anymore, and the others stay selected', () => {
  const { getState } = createAppStore(silentClient);
  getState().monitors.setSelection(['precipitation_1', 'precipitation_2']);
  getState().monitors.toggleSelected('precipitation_3');
  expect([...getState().monitors.selection]).toEqual(['precipitation_1', 'precipitation_2', 'precipitation_3']);
  getState().monitors.toggleSelected('precipitation_2');
  expect([...getState().monitors.selection]).toEqual(['precipitation_1', 'precipitation_3']);
});

test('a callback that is toggled twice is not selected anymore, and the others stay selected', () => {
  const { getState } = createAppStore(silentClient);
  const selected = () => [...getState().callbackSelection.selected];
  getState().callbackSelection.selectMany([1, 2]);
  getState().callbackSelection.toggle(3);
  expect(selected()).toEqual([1, 2, 3]);
  getState().callbackSelection.toggle(2);
  expect(selected()).toEqual([1, 3]);
  // A single callback after all of them starts a new selection.
  void getState().callbackSelection.selectAll(9);
  expect([selected(), getState().callbackSelection.allThroughId]).toEqual([[], 9]);
  getState().callbackSelection.toggle(4);
  expect([selected(), getState().callbackSelection.allThroughId]).toEqual([[4], null]);
});
