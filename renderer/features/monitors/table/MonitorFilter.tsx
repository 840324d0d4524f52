// Which monitors are shown: the filter, the state, and views that were saved under a name.
import { SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { useCommands } from '../../../store/use-commands.ts';
import { monitorCommands } from '@rainbell/shared';
import { SavedSearches, SearchHelp } from '../../../widgets/SavedSearches.tsx';
import { conditionLabels } from '../common/delivery-status.ts';
import { monitorConditions, type ShownCondition } from '../common/monitor-list-slice.ts';
import { formatView, parseView } from '../monitors-link.ts';

const operators: readonly [string, string][] = [
  ['harbor  "north pier"', 'a word, or an exact phrase, in any field'],
  ['tag:port  tag:eu*', 'has this tag, or a tag with this prefix'],
  ['place:bergen  place:60.39', 'the town or the coordinates contain this text'],
  ['state:failing  state:never', 'ready, cool-down, failing, off, paused, unknown, never, deleting'],
  ['callback:example.net', 'the callback URL contains this text'],
  ['callback:this-app  callback:old-app', 'the callback URL is this app’s current or old one; also: elsewhere, none'],
  ['-tag:test', 'a minus sign excludes matches'],
];

export function MonitorSearch() {
  const { view, setView, views, loadViews, replaceViews } = useApp((state) => state.monitors);
  const { text } = view;
  const query = formatView(view);
  const field = useRef<HTMLInputElement>(null);
  useCommands(monitorCommands, { 'monitors.filter': () => field.current?.focus() });
  return (
    <>
      <TextInput
        flex="1 1 200px"
        maw={340}
        ref={field}
        aria-label="Filter the monitors"
        placeholder="Name, ID, place, tag:port, state:failing"
        leftSection={<IconSearch aria-hidden />}
        rightSection={<SearchHelp label="Filter terms" terms={operators} />}
        spellCheck={false}
        value={text}
        onChange={(event) => setView({ text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') setView({ text: '' });
        }}
      />
      <SavedSearches
        kind="views"
        saved={views}
        query={query}
        placeholder={query === '' ? 'Filter or sort first' : 'Failing in Norway'}
        onLoad={loadViews}
        onChoose={(saved) => setView(parseView(saved))}
        onChange={replaceViews}
      />
    </>
  );
}

/** States with their counts. */
export function StateFilter({ counts }: { readonly counts: Readonly<Record<ShownCondition, number>> }) {
  const state = useApp((all) => all.monitors.view.state);
  const setView = useApp((all) => all.monitors.setView);
  const states = monitorConditions.filter((one) => one !== 'unknown' || counts.unknown > 0 || state === 'unknown');
  return (
    <SegmentedControl
      aria-label="Status"
      size="xs"
      value={state}
      onChange={(wanted) => setView({ state: wanted })}
      data={states.map((value) => ({
        value,
        label: `${value === 'any' ? 'All' : conditionLabels[value]} ${counts[value].toLocaleString('en')}`,
      }))}
    />
  );
}
