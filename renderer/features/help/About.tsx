// What this copy of Rainbell is made of: versions, licenses of code, and whose data it uses.
import { reviewDiagnostics } from '../settings/selectors.ts';
import { attributions, plural, projectPage } from '@rainbell/shared';
import { Anchor, Button, UnstyledButton } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { commit } from 'virtual:build';
import { licenses } from 'virtual:licenses';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { FactRows } from '../../ui/controls/FactRows.tsx';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import classes from './HelpScreen.module.css';

/** Data that is installed with the app and requires no credit next to it. */
const otherData = [
  {
    name: 'Natural Earth',
    credit: 'Country outlines from Natural Earth',
    url: 'https://www.naturalearthdata.com/',
    licence: 'public domain',
    termsUrl: 'https://www.naturalearthdata.com/about/terms-of-use/',
  },
] as const;

export function About() {
  const status = useApp((state) => state.frame.status);
  const goTo = useApp((state) => state.frame.goTo);
  const store = useAppStore();
  const facts: readonly (readonly [string, string])[] = [
    ['Rainbell', status?.version ?? ''],
    ['Built from', commit ?? 'a folder without Git'],
    ['Host', status?.host === 'electron' ? 'desktop app' : 'headless, in a browser'],
    ...Object.entries(status?.versions ?? {}),
    ['Browser', navigator.userAgent],
  ];
  return (
    <div className={`rb-stack ${classes.text}`}>
      <h2 className="rb-figure">About Rainbell</h2>
      <p>
        Rainbell is open source under the MIT license. <Out to={projectPage}>Source code and issues</Out>
      </p>
      <section className="rb-column" aria-label="Versions">
        <h3>Versions</h3>
        <dl className="rb-terms rb-lines">
          <FactRows facts={facts} />
        </dl>
        <CopyIcon text={facts.map((fact) => fact.join(': ')).join('\n')} label="Copy versions" />
      </section>
      <section className="rb-column" aria-label="Report a problem">
        <h3>Report a problem</h3>
        <p>
          Diagnostics contain versions, settings, status information, and the end of the log, but no tokens, secrets, or
          bodies. You can review every file before it is saved. Attach the zip file to your report.
        </p>
        <div className="rb-row rb-wrap">
          <Button
            leftSection={<IconFileZip />}
            onClick={() => {
              goTo('settings');
              reviewDiagnostics(store.getState());
            }}
          >
            Export diagnostics…
          </Button>
          <Out to={`${projectPage}/issues/new`}>Open a new issue</Out>
        </div>
      </section>
      <section className="rb-column" aria-label="Data">
        <h3>Data</h3>
        <ul className="rb-bullets">
          {[...attributions, ...otherData].map(({ name, credit, url, licence, termsUrl }) => (
            <li key={name}>
              <Out to={url}>{credit}</Out> (<Out to={termsUrl}>{licence}</Out>)
            </li>
          ))}
        </ul>
      </section>
      <section className="rb-column" aria-label="Code">
        <h3>Code</h3>
        <p>Weather symbols are by Yr (MIT); the fonts are Inter and JetBrains Mono (SIL OFL 1.1).</p>
        <p>
          {plural(licenses.length, [
            'This package is installed with Rainbell. Click it to read its license.',
            'These # packages are installed with Rainbell. Click one to read its license.',
          ])}
        </p>
        <ul className={classes.packages}>
          {licenses.map((one) => (
            <Package key={`${one.name} ${one.version}`} {...one} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function Package({ name, version, license, text }: Readonly<(typeof licenses)[number]>) {
  const [isOpen, setOpen] = useState(false);
  const title = (
    <>
      {name} <span className="rb-dim">{version}</span> <span className="rb-dim">{license}</span>
    </>
  );
  if (text === '') return <li>{title}</li>;
  return (
    <li>
      <UnstyledButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {title}
      </UnstyledButton>
      {isOpen && <pre>{text}</pre>}
    </li>
  );
}

function Out({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Anchor href={to} target="_blank" rel="noreferrer">
      {children}
    </Anchor>
  );
}
