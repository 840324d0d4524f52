// The log of each sign-in, refresh, and revocation, with its redirects, requests, and responses. Secrets are masked before they get
// here. Failed ones are expanded.
import type { Deviation, Flow, FlowStep } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { plural } from '@rainbell/shared';
import { Badge } from '../../ui/controls/Badge.tsx';
import { Card } from '../../ui/controls/Card.tsx';
import { TrafficButton } from '../../widgets/TrafficButton.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { methodNames, outcomeTitles } from './access-labels.ts';

export function Flows() {
  const flows = useApp((state) => state.session.state?.flows) ?? [];
  return (
    <Card title="Sign-in log" section="log">
      {flows.length === 0 ? (
        <p className="rb-dim">
          Each sign-in, refresh, and revocation for this connection appears here step by step, with secrets masked.
        </p>
      ) : (
        <div className="rb-lines rb-whole">
          {flows.map((flow, index) => (
            <FlowRow key={flow.id} flow={flow} isNewest={index === 0} />
          ))}
        </div>
      )}
    </Card>
  );
}

function FlowRow({ flow, isNewest }: { readonly flow: Flow; readonly isNewest: boolean }) {
  const times = useLogTimes();
  const at = Date.parse(flow.startedAt);
  const tone = flowTone(flow);
  const deviations = flow.steps.reduce((sum, step) => sum + step.deviations.length, 0);
  return (
    <details className="rb-fold" open={(didFail(flow) && isNewest) || undefined}>
      <summary>
        <span className="rb-mono">{times.clockSeconds(at)}</span>
        <strong>{methodNames[flow.way]}</strong>
        <Badge tone={tone}>{flow.outcome === null ? 'Running' : flowOutcomeLabel(flow.outcome)}</Badge>
        {deviations > 0 && <Badge tone="warn">{plural(deviations, ['# deviation', '# deviations'])}</Badge>}
        <span className="rb-truncate rb-dim">{flow.message}</span>
      </summary>
      <ol className="rb-stack rb-bullets" aria-label={`Steps: ${methodNames[flow.way]}`}>
        {flow.steps.map((step, index) => (
          // Steps have no identity but their place, and only ever grow at the end.
          <StepRow key={index} step={step} sinceMs={Date.parse(step.at) - at} />
        ))}
      </ol>
    </details>
  );
}

function StepRow({ step, sinceMs }: { readonly step: FlowStep; readonly sinceMs: number }) {
  const isBad = step.status !== null && step.status >= 400;
  return (
    <li>
      <p className="rb-row rb-wrap">
        <strong>{step.title}</strong>
        {step.status !== null && <Badge tone={isBad ? 'bad' : 'good'}>{step.status}</Badge>}
        <span className="rb-dim">
          {step.tookMs === null
            ? `+${Math.round(sinceMs)} ms`
            : `+${Math.round(sinceMs)} ms · took ${Math.round(step.tookMs)} ms`}
        </span>
        <TrafficButton id={step.trafficId ?? undefined} about={step.title} />
      </p>
      {step.url !== null && (
        <p className="rb-mono rb-small rb-break">
          {step.method} {step.url}
        </p>
      )}
      {step.fields.length > 0 && (
        <dl className="rb-mono rb-sunken rb-terms rb-scroll">
          {step.fields.map(([name, value], index) => (
            // Parameters may come twice with one name; their place is their identity.
            <div key={index}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Deviations deviations={step.deviations} />
    </li>
  );
}

/** Where an answer went another way than the standard or the interface says, each with its section. */
export function Deviations({ deviations }: { readonly deviations: readonly Deviation[] }) {
  return deviations.map(({ section, message }) => (
    <p key={`${section} ${message}`} className="rb-tone" data-tone="warn">
      <Badge tone="warn">{section}</Badge> {message}
    </p>
  ));
}

/** Returns the label of a finished flow. Refreshes and revocations also end with the codes of other failures. */
function flowOutcomeLabel(outcome: string): string {
  if (outcome === 'approved') return 'Succeeded';
  return Object.entries(outcomeTitles).find(([known]) => known === outcome)?.[1] ?? 'Failed';
}

/** Whether a flow failed; a running one has not. */
function didFail({ endedAt, outcome }: Pick<Flow, 'endedAt' | 'outcome'>): boolean {
  return endedAt !== null && outcome !== 'approved';
}

/** A denied request is not an error. */
function flowTone(flow: Pick<Flow, 'endedAt' | 'outcome'>): 'accent' | 'good' | 'warn' | 'bad' {
  if (flow.endedAt === null) return 'accent';
  if (flow.outcome === 'denied' || flow.outcome === 'closed') return 'warn';
  return didFail(flow) ? 'bad' : 'good';
}
