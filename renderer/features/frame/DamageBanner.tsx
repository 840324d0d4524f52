// Shows on every screen what a damaged database kept and lost, until the user hides the report.
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconDatabaseExclamation } from '@tabler/icons-react';
import { useState } from 'react';
import { type DamageReport, describeDamage } from '@rainbell/shared';
import type { Failure } from '../../store/request.ts';
import { useApp } from '../../store/use-app.ts';
import classes from './LinkNotice.module.css';

export function DamageBanner({ report }: { readonly report: DamageReport }) {
  const acknowledge = useApp((state) => state.frame.acknowledgeDamage);
  const restart = useApp((state) => state.frame.restart);
  const canRestart = useApp((state) => state.frame.status?.canRestart === true);
  const [problem, setProblem] = useState<string>();
  const { title, lines } = describeDamage(report);
  const isPending = report.state === 'pending';

  async function run(action: () => Promise<Failure | undefined>, describe: (cause: string) => string): Promise<void> {
    const failure = await action();
    setProblem(failure && describe(failure.message));
  }

  return (
    <div className={`rb-row rb-fixed ${classes.notice}`} data-tone="bad" role="alert" data-damage={report.state}>
      <IconDatabaseExclamation className="rb-fixed" size={18} aria-hidden />
      <div className="rb-fill rb-break">
        <strong>{title}</strong>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {isPending && !canRestart && (
          <p>Press Ctrl+C in the terminal where Rainbell is running, then start it again.</p>
        )}
        {problem !== undefined && <p className="rb-strong">{problem}</p>}
      </div>
      {isPending && canRestart && (
        <TaskButton
          size="compact-sm"
          variant="default"
          task={() => run(restart, (cause) => `Couldn’t restart Rainbell: ${cause}`)}
        >
          Restart Rainbell
        </TaskButton>
      )}
      {!isPending && (
        <TaskButton
          size="compact-sm"
          variant="default"
          task={() =>
            run(
              () => acknowledge(report.id),
              (cause) => `Couldn’t hide the report: ${cause}`,
            )
          }
        >
          Hide report
        </TaskButton>
      )}
    </div>
  );
}
