// All settings by section, with a search over all of them. The rows come from the settings table.
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type MouseEvent, useRef, useState } from 'react';
import { settingRows, settingSections, type ValueRow } from '@rainbell/contract/app-rpc';
import { useOpenSection } from '../../widgets/use-open-section.ts';
import { useApp } from '../../store/use-app.ts';
import { useCommands } from '../../store/use-commands.ts';
import { plural, settingsCommands } from '@rainbell/shared';
import { CardScreen } from '../../ui/controls/CardScreen.tsx';
import { EmptyState } from '../../ui/controls/EmptyState.tsx';
import { customSettings } from './custom-settings.tsx';
import { ValueSetting } from './ValueSetting.tsx';
import classes from './SettingsScreen.module.css';

type SettingSection = keyof typeof settingSections;
type Rows = typeof settingRows;

export function SettingsScreen() {
  const host = useApp((state) => state.frame.status?.host);
  const version = useApp((state) => state.frame.status?.version);
  const [search, setSearch] = useState('');
  // A section that is opened from elsewhere may not match the search.
  const opened = useApp((state) => state.frame.sections.settings);
  const [former, setFormer] = useState(opened);
  if (opened !== former) {
    setFormer(opened);
    setSearch('');
  }
  const field = useRef<HTMLInputElement>(null);
  useCommands(settingsCommands, { 'settings.search': () => field.current?.focus() });
  useOpenSection('settings');
  const here = settingRows.filter((row) => row.host === undefined || row.host === host);
  const found = matching(here, search);
  const sections = (Object.keys(settingSections) as SettingSection[])
    .map((section) => ({ section, rows: found.filter((row) => row.section === section) }))
    .filter(({ rows }) => rows.length > 0);
  return (
    <CardScreen
      title="Settings"
      isNarrow
      intro={<span role="status">{search.trim() === '' ? '' : plural(found.length, ['# setting', '# settings'])}</span>}
      actions={
        <TextInput
          w={320}
          ref={field}
          aria-label="Search settings"
          placeholder="Search settings"
          leftSection={<IconSearch aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && setSearch('')}
        />
      }
    >
      <div className={classes.columns}>
        <SectionList sections={sections.map(({ section }) => section)} />
        <div className={`rb-stack ${classes.sections}`}>
          {sections.map(({ section, rows }) => (
            <Section key={section} section={section} rows={rows} />
          ))}
          {sections.length === 0 && (
            <EmptyState icon={<IconSearch size={32} />} title="No settings found">
              <p>No settings match “{search.trim()}”.</p>
              <Button onClick={() => setSearch('')}>Show all settings</Button>
            </EmptyState>
          )}
          <p className="rb-note">
            {host === 'electron'
              ? `Rainbell ${version ?? ''} · desktop app · MIT license`
              : `Rainbell ${version ?? ''} · in a browser · MIT license`}
          </p>
        </div>
      </div>
    </CardScreen>
  );
}

function SectionList({ sections }: { readonly sections: readonly SettingSection[] }) {
  const openSection = useApp((state) => state.frame.openSection);
  const show = (event: MouseEvent, section: SettingSection) => {
    event.preventDefault();
    openSection('settings', section);
    const element = document.querySelector<HTMLElement>(`[data-section="${section}"]`);
    element?.scrollIntoView({ block: 'start' });
    element?.focus({ preventScroll: true });
  };
  return (
    <nav className={classes.index} aria-label="Settings sections">
      {sections.map((section) => (
        <a key={section} className="rb-item" href={`#/settings/${section}`} onClick={(event) => show(event, section)}>
          {settingSections[section]}
        </a>
      ))}
    </nav>
  );
}

function Section({ section, rows }: { readonly section: SettingSection; readonly rows: Rows }) {
  const title = settingSections[section];
  return (
    <section className={`rb-card ${classes.section}`} aria-label={title} data-section={section} tabIndex={-1}>
      <h2>{title}</h2>
      {rows.map((row) => {
        const View = customSettings[row.id];
        return View ? <View key={row.id} row={row} /> : <ValueSetting key={row.id} row={row as ValueRow} />;
      })}
    </section>
  );
}

/** The rows that match all words of a search, in any of their texts. */
function matching(rows: Rows, text: string): Rows {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const choices = row.control === 'choice' ? row.choices.map(({ label }) => label).join(' ') : '';
    const haystack = [row.title, row.meaning, row.keywords, row.unit, settingSections[row.section], choices]
      .join(' ')
      .toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}
