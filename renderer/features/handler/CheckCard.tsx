// The newest check of the handler, in the words of `rainbell dev`: the bug, what to do, a right handler, and the cases.
import { Loader } from '@mantine/core';
import { checkCaseTitles, type CheckedCase, type HandlerSession } from '@rainbell/contract/app-rpc';
import { Card } from '../../ui/controls/Card.tsx';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { CodeView } from '../../viewers/CodeView.tsx';

export function CheckCard({ session }: { readonly session: HandlerSession }) {
  const { checking, entries } = session;
  const checked = entries.findLast((entry) => entry.kind === 'checked');
  return (
    <Card title="Check">
      {checking !== null && (
        <p className="rb-row rb-tight" role="status">
          <Loader size="xs" aria-hidden /> {`${checking}…`}
        </p>
      )}
      {checked && (
        <>
          <p className="rb-strong rb-tone" data-tone={checked.isRight ? 'good' : 'bad'}>
            {`${checked.isRight ? 'Passed' : 'Failed'} · ${checked.summary}`}
          </p>
          <ul className="rb-lines" aria-label="Bugs">
            {checked.problems.map(({ cause, does, should }) => (
              <li key={cause}>
                <strong>
                  <ForeignText text={does} limit={1000} />
                </strong>{' '}
                {should}
              </li>
            ))}
          </ul>
          {checked.example && (
            <details>
              <summary>A right handler</summary>
              <CodeView source={checked.example} as="text" label="A right handler" />
            </details>
          )}
          {checked.cases.length > 0 && <Cases cases={checked.cases} />}
        </>
      )}
    </Card>
  );
}

const results = {
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  'not-visible': { label: 'Not verifiable', tone: 'plain' },
} as const;

function Cases({ cases }: { readonly cases: readonly CheckedCase[] }) {
  return (
    <details>
      <summary>Cases</summary>
      <ul className="rb-lines" aria-label="Cases">
        {cases.map(({ case: id, result, findings }) => (
          <li key={id}>
            <span className="rb-row">
              <span className="rb-fill">{checkCaseTitles[id]}</span>
              <span className="rb-small rb-strong rb-tone" data-tone={results[result].tone}>
                {results[result].label}
              </span>
            </span>
            {findings
              .filter((finding) => finding.result !== 'passed')
              .map(({ what, result: one, detail }) => (
                <p key={what} className="rb-note rb-break" data-bad={one === 'failed' || undefined}>
                  <ForeignText
                    text={`${one === 'failed' ? 'Expected' : results[one].label}: ${what}. ${detail}`}
                    limit={1500}
                  />
                </p>
              ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
