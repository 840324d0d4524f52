// The chart, and beside it the pane if the response is inspected; its size is saved. In windows under 1024 px it is below the chart.
import { CloseButton, SegmentedControl } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { useCommands } from '../../store/use-commands.ts';
import { showNew } from '../../ui/hooks/show-new.ts';
import { useSavedShare } from '../../ui/hooks/use-saved-share.ts';
import { labelWithKey } from '../../ui/text/key-text.ts';
import { forecastCommands } from '@rainbell/shared';
import { type InspectorTab, inspectorTabs, tabNames } from './common/forecast-slice.ts';
import { useIsNarrow } from '../../ui/hooks/use-is-narrow.ts';
import classes from './ChartAndPane.module.css';
import { SplitHandle } from '../../ui/controls/SplitHandle.tsx';

/** 384 px in a window of 1280 px. */
const defaultShare = 32;

type Props = { chart: ReactNode; pane: ReactNode };

export function ChartAndPane({ chart, pane }: Readonly<Props>) {
  const isStacked = useIsNarrow();
  const isOpen = useApp((state) => state.forecast.isPaneOpen);
  const tab = useApp((state) => state.forecast.tab);
  const { openPane: open, showTab } = useAppStore().getState().forecast;
  const isDeviating = useApp(
    (state) => state.forecast.forecast?.points.some(({ problems }) => problems.length > 0) ?? false,
  );
  const { share, resize } = useSavedShare('forecast', defaultShare);
  const show = (wanted: InspectorTab) => {
    showTab(wanted);
    if (!isOpen) open(true);
  };
  useCommands(forecastCommands, {
    'pane.point': () => show('point'),
    'pane.json': () => show('json'),
    'pane.headers': () => show('headers'),
    'pane.curl': () => show('curl'),
  });
  return (
    <div
      className={`rb-fill ${classes.work}`}
      style={{ '--rb-pane': `${share}%` } as CSSProperties}
      data-open={isOpen || undefined}
    >
      <div className="rb-pane">{chart}</div>
      {isOpen && (
        <>
          <SplitHandle label="Pane size" share={share} onResize={resize} isStacked={isStacked} />
          <section className="rb-pane" aria-label="Request and response" ref={isStacked ? showNew : null}>
            <div className="rb-bar rb-apart">
              <SegmentedControl
                size="xs"
                aria-label="Inspector"
                value={tab}
                onChange={showTab}
                data={inspectorTabs.map((one) => ({
                  value: one,
                  label: one === 'json' && isDeviating ? <Deviating name={tabNames[one]} /> : tabNames[one],
                }))}
              />
              <CloseButton
                aria-label="Close the pane"
                aria-keyshortcuts="i"
                title={labelWithKey('Close the pane', forecastCommands['forecast.inspect'])}
                onClick={() => open(false)}
              />
            </div>
            <div className="rb-pane">{pane}</div>
          </section>
        </>
      )}
    </div>
  );
}

function Deviating({ name }: { readonly name: string }) {
  return (
    <span className="rb-row rb-tight">
      {name}
      <span className="rb-hidden">with deviations</span>
      <span className="rb-dot" data-tone="warn" />
    </span>
  );
}
