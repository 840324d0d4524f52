// The search box over all callbacks, and the searches that were saved.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { LearnMore } from '../../../widgets/LearnMore.tsx';
import { useCommands } from '../../../store/use-commands.ts';
import { callbackCommands } from '@rainbell/shared';
import { SavedSearches, SearchHelp } from '../../../widgets/SavedSearches.tsx';

/** A search begins this long after the last letter. */
const typingMs = 200;

const operators: readonly [string, string][] = [
  ['monitor:precipitation_7  method:POST', 'exact match; monitor:precipitation_7* also finds precipitation_70'],
  ['path:/hooks  from:127  body:rain  note:bug', 'contains this text'],
  ['status:503  status:5xx  status:closed', 'the status that was sent'],
  ['outcome:answered  outcome:closed  outcome:refused', 'how the response ended'],
  ['header:user-agent  header:user-agent=curl*', 'has this header, or this header with exactly this value'],
  ['json:geo.type=Point  json:id', 'has this path in its JSON body, or this path with exactly this value'],
  ['size:>1kB  size:100..200', 'size of the body in bytes'],
  ['after:2026-11-22T14:05  before:2026-11-23', 'time of receipt, in UTC'],
  ['verdict:verified  verdict:too-soon  verdict:invalid', 'the verdict, as in the list'],
  ['is:ok  is:warning  is:error  is:unknown', 'the worst check result'],
  ['is:event  is:retry  is:test  is:refused  is:other', 'what kind of request it is'],
  ['is:feed  is:imported  is:noted  is:cut', 'from the feed, from a file, with a note, truncated at the limit'],
  ['-method:GET  a OR b  "two words"', 'minus excludes, OR matches either, quotes match a phrase'],
];

type Props = {
  /** The down arrow key leaves the search box for the list. */
  onLeave: () => void;
};

export function CallbackSearch({ onLeave }: Readonly<Props>) {
  const { query, problems, search, filters, filtersRequest, loadFilters, saveFilters } = useApp(
    (state) => state.callbackSearch,
  );
  const [text, setText] = useState(query);
  const searched = useRef(query);
  const searchTyped = (wanted: string) => {
    searched.current = wanted.trim();
    void search(wanted.trim());
  };
  const searchSoon = useDebouncedCallback(searchTyped, typingMs);
  const searchNow = (wanted: string) => {
    searchSoon.cancel();
    setText(wanted);
    searchTyped(wanted);
  };
  const field = useRef<HTMLInputElement>(null);
  useCommands(callbackCommands, { 'callbacks.search': () => field.current?.focus() });
  // Others ask, too, such as the dialog of paths.
  useEffect(() => {
    if (query !== searched.current) setText(query);
    searched.current = query;
  }, [query]);
  return (
    <div className="rb-row rb-fill">
      <TextInput
        className="rb-fill"
        ref={field}
        aria-label="Search the callbacks"
        placeholder="Body, headers, path…"
        leftSection={<IconSearch aria-hidden />}
        rightSection={
          <SearchHelp label="Search terms" terms={operators}>
            All terms must match. Not case-sensitive.{' '}
            <LearnMore to="callbacks?at=search-callbacks" about="searching callbacks" />
          </SearchHelp>
        }
        value={text}
        // A term whose value is still to be typed is not wrong.
        error={
          problems
            .filter(({ term }) => !term.endsWith(':') || !text.toLowerCase().endsWith(term))
            .map(({ term, message }) => `“${term}”: ${message}`)
            .join(' ') || undefined
        }
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          searchSoon(value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') searchNow('');
          if (event.key === 'Enter') searchNow(text);
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            onLeave();
          }
        }}
      />
      <SavedSearches
        kind="filters"
        saved={filters}
        query={text.trim()}
        placeholder={text === '' ? 'Type a search first' : 'Failed in Turin'}
        request={filtersRequest}
        onLoad={loadFilters}
        onChoose={searchNow}
        onChange={saveFilters}
      />
    </div>
  );
}
