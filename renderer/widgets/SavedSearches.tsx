// Beside a search field: what its terms mean, and searches that were saved under a name.
import { ActionIcon, Button, TextInput, UnstyledButton } from '@mantine/core';
import { IconBookmark, IconChevronDown, IconHelpCircle, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import type { Request } from '../store/request.ts';
import { Panel } from '../ui/controls/Panel.tsx';
import { TaskIcon } from '../ui/controls/TaskButton.tsx';
import { submitBy } from '../ui/hooks/submit-by.ts';
import { RequestNotice } from './RequestNotice.tsx';
import classes from './SavedSearches.module.css';

type HelpProps = {
  label: string;
  terms: readonly (readonly [examples: string, meaning: string])[];
  children?: ReactNode;
};

export function SearchHelp({ label, terms, children }: Readonly<HelpProps>) {
  const id = useId();
  return (
    <>
      <ActionIcon aria-label={label} aria-haspopup="dialog" popoverTarget={id}>
        <IconHelpCircle />
      </ActionIcon>
      <Panel id={id} label={label} align="end" className={classes.panel}>
        <dl className="rb-column rb-small" aria-label={label}>
          {terms.map(([examples, meaning]) => (
            <div key={examples}>
              <dt className="rb-mono">{examples}</dt>
              <dd className="rb-dim">{meaning}</dd>
            </div>
          ))}
        </dl>
        {children !== undefined && <p className={`rb-note ${classes.words}`}>{children}</p>}
      </Panel>
    </>
  );
}

export type SavedSearch = { name: string; query: string };

type SavedProps = {
  kind: keyof typeof labels;
  saved: readonly SavedSearch[];
  /** The present search; empty if there is nothing to save. */
  query: string;
  placeholder: string;
  request?: Request;
  onLoad: () => Promise<void>;
  onChoose: (query: string) => void;
  onChange: (saved: readonly SavedSearch[]) => Promise<void>;
};

const labels = {
  views: {
    all: 'Views',
    none: 'No saved views',
    name: 'View name',
    save: 'Save view',
    remove: (name: string) => `Delete view ${name}`,
  },
  filters: {
    all: 'Filters',
    none: 'No saved filters',
    name: 'Filter name',
    save: 'Save filter',
    remove: (name: string) => `Delete filter ${name}`,
  },
} as const;

/** A panel of saved searches: choose one, delete one, or save the present search under a name. */
export function SavedSearches(props: Readonly<SavedProps>) {
  const { kind, saved, query, request, onLoad, onChoose, onChange } = props;
  const id = useId();
  const [name, setName] = useState('');
  useEffect(() => void onLoad(), [onLoad]);
  const texts = labels[kind];
  const canSave = query !== '' && name.trim() !== '';
  const save = () => {
    const search = { name: name.trim(), query };
    void onChange([...saved.filter((one) => one.name !== search.name), search]);
    setName('');
  };
  return (
    <>
      <Button
        leftSection={<IconBookmark />}
        rightSection={<IconChevronDown aria-hidden />}
        aria-haspopup="dialog"
        popoverTarget={id}
      >
        {texts.all}
      </Button>
      <Panel id={id} label={texts.all} className={classes.list}>
        {saved.length === 0 && <p className={`rb-note ${classes.words}`}>{texts.none}</p>}
        <ul>
          {saved.map((search) => (
            <li key={search.name} className="rb-row rb-tight">
              <UnstyledButton
                className="rb-item rb-lined rb-fill rb-break"
                popoverTarget={id}
                popoverTargetAction="hide"
                onClick={() => onChoose(search.query)}
              >
                {search.name}
                {kind === 'filters' && <span className="rb-mono rb-note">{search.query}</span>}
              </UnstyledButton>
              <TaskIcon
                color="gray"
                aria-label={texts.remove(search.name)}
                task={() => onChange(saved.filter((one) => one !== search))}
              >
                <IconTrash />
              </TaskIcon>
            </li>
          ))}
        </ul>
        <form className="rb-row rb-tight" onSubmit={submitBy(() => canSave && save())}>
          <TextInput
            className="rb-fill"
            size="xs"
            aria-label={texts.name}
            placeholder={props.placeholder}
            disabled={query === ''}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button variant="filled" type="submit" disabled={!canSave}>
            {texts.save}
          </Button>
        </form>
        {request && <RequestNotice request={request} failedTitle="Couldn’t save the list" />}
      </Panel>
    </>
  );
}
