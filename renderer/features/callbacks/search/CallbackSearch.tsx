// The search box over all callbacks, with its terms as chips.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { splitTerms } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { LearnMore } from '../../../widgets/LearnMore.tsx';
import { useCommands } from '../../../store/use-commands.ts';
import { callbackCommands } from '@rainbell/shared';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { SavedSearches, SearchHelp } from '../../../widgets/SavedSearches.tsx';
import { finishedTerms, queryOf, withoutTerm } from './search-terms.ts';
import classes from './CallbackSearch.module.css';

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
  ['is:valid  is:warning  is:broken  is:unknown', 'the worst check result'],
  ['is:event  is:retry  is:test  is:refused  is:other', 'what kind of request it is'],
  ['is:feed  is:imported  is:noted  is:cut', 'from the feed, from a file, with a note, truncated at the limit'],
  ['-method:GET  a OR b  "two words"', 'minus excludes, OR matches either, quotes match a phrase'],
];

type Props = {
  /** The down arrow key leaves the search box for the list. */
  onLeave: () => void;
};

export function CallbackSearch({ onLeave }: Readonly<Props>) {
  const search = useApp((state) => state.callbackSearch.search);
  const query = useApp((state) => state.callbackSearch.query);
  const problems = useApp((state) => state.callbackSearch.problems);
  const [terms, setTerms] = useState(() => splitTerms(query));
  const [text, setText] = useState('');
  const typed = useRef(query);
  const searchTyped = (wanted: string) => {
    typed.current = wanted;
    void search(wanted);
  };
  const searchSoon = useDebouncedCallback(searchTyped, typingMs);
  const searchNow = (wantedTerms: readonly string[], wantedText = '') => {
    searchSoon.cancel();
    setTerms([...wantedTerms]);
    setText(wantedText);
    searchTyped(queryOf(wantedTerms, wantedText));
  };
  const onType = (value: string) => {
    const { terms: finished, rest } = finishedTerms(value);
    if (finished.length > 0) return searchNow([...terms, ...finished], rest);
    setText(value);
    searchSoon(queryOf(terms, value));
  };
  const { span, verdicts, show } = useApp((state) => state.callbackSearch);
  const removeLast = () => {
    if (terms.length > 0) searchNow(withoutTerm(terms, terms.length - 1));
    else if (verdicts.length > 0) void show({ verdicts: verdicts.slice(0, -1) });
    else if (span) void show({ span: null });
    else void show({ range: 'all' });
  };
  const { filters, filtersRequest, loadFilters, saveFilters } = useApp((state) => state.callbackSearch);
  const field = useRef<HTMLInputElement>(null);
  useCommands(callbackCommands, { 'callbacks.search': () => field.current?.focus() });
  // Others ask, too, such as the dialog of paths.
  useEffect(() => {
    if (query !== typed.current) {
      setTerms(splitTerms(query));
      setText('');
    }
    typed.current = query;
  }, [query]);
  return (
    <div className="rb-row rb-wrap rb-fill">
      <TextInput
        className="rb-fill"
        ref={field}
        aria-label="Search the callbacks"
        placeholder="Body, headers, path…"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <SearchHelp label="Search terms" terms={operators}>
            All terms must match. Not case-sensitive.{' '}
            <LearnMore to="callbacks?at=search-callbacks" about="searching callbacks" />
          </SearchHelp>
        }
        spellCheck={false}
        value={text}
        // A term whose value is still to be typed is not wrong.
        error={
          problems
            .filter(({ term }) => !term.endsWith(':') || !text.toLowerCase().endsWith(term))
            .map(({ term, message }) => `“${term}”: ${message}`)
            .join(' ') || undefined
        }
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && (text !== '' || terms.length > 0)) searchNow([]);
          if (event.key === 'Enter' && text !== '') searchNow([...terms, ...splitTerms(text)]);
          if (event.key === 'Backspace' && text === '') removeLast();
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            onLeave();
          }
        }}
      />
      <SavedSearches
        kind="filters"
        saved={filters}
        query={queryOf(terms, text).trim()}
        placeholder={text === '' && terms.length === 0 ? 'Type a search first' : 'Failed in Turin'}
        describe={(saved) => saved}
        request={filtersRequest}
        onLoad={loadFilters}
        onChoose={(wanted) => searchNow(splitTerms(wanted))}
        onChange={saveFilters}
      />
      <div className={`rb-row rb-wrap rb-tight ${classes.chips}`}>
        <Chips />
        {terms.map((term, place) => (
          <Chip
            // Terms have no name of their own, and may be there twice.
            key={`${place} ${term}`}
            text={term}
            isNot={term.startsWith('-')}
            onRemove={() => searchNow(withoutTerm(terms, place), text)}
          />
        ))}
      </div>
    </div>
  );
}

/** What limits the list beside the terms of the search. */
function Chips() {
  const { span, range, verdicts, show } = useApp((state) => state.callbackSearch);
  const times = useLogTimes();
  return (
    <>
      {span ? (
        <Chip
          text={`time:${times.clock(span.from)}–${times.clock(span.to)}`}
          onRemove={() => void show({ span: null })}
        />
      ) : (
        range !== 'all' && <Chip text={`time:${range}`} onRemove={() => void show({ range: 'all' })} />
      )}
      {verdicts.map((name) => (
        <Chip
          key={name}
          text={`verdict:${name}`}
          onRemove={() => void show({ verdicts: verdicts.filter((one) => one !== name) })}
        />
      ))}
    </>
  );
}

type ChipProps = { readonly text: string; readonly isNot?: boolean; readonly onRemove: () => void };

function Chip({ text, isNot = false, onRemove }: ChipProps) {
  return (
    <span className={`rb-badge rb-row rb-tight rb-mono ${classes.chip}`} data-tone={isNot ? 'bad' : 'accent'}>
      <span className="rb-truncate" title={text}>
        {text}
      </span>
      <button type="button" aria-label={`Remove ${text}`} onClick={onRemove}>
        <IconX size={12} aria-hidden />
      </button>
    </span>
  );
}
