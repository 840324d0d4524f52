// The chart, and beside it the pane if the response is inspected; its width is saved. From 1024 to 1279 px it covers part of the
// chart, below that it is a sheet at the bottom, half or full.
import { CloseButton, UnstyledButton } from '@mantine/core';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { useCommands } from '../../store/use-commands.ts';
import { useSavedShare } from '../../ui/hooks/use-saved-share.ts';
import { labelWithKey } from '../../ui/text/key-text.ts';
import { forecastCommands, paneCommands } from '@rainbell/shared';
import { type InspectorTab, inspectorTabs, tabNames } from './common/forecast-slice.ts';
import { useWindowWidth } from '../../ui/hooks/use-window-width.ts';
import classes from './ChartAndPane.module.css';
import { SplitHandle } from '../../ui/controls/SplitHandle.tsx';

/** 384 px in a window of 1280 px. */
const defaultShare = 32;

type Props = { chart: ReactNode; pane: ReactNode; foot: ReactNode };

export function ChartAndPane({ chart, pane, foot }: Readonly<Props>) {
  const windowWidth = useWindowWidth();
  const isWide = windowWidth === 'wide';
  const isOpen = useApp((state) => state.forecast.isPaneOpen);
  const tab = useApp((state) => state.forecast.tab);
  const { openPane: open, showTab } = useAppStore().getState().forecast;
  const isDeviating = useApp(
    (state) => state.forecast.forecast?.points.some(({ problems }) => problems.length > 0) ?? false,
  );
  const [isFull, setFull] = useState(false);
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
  useCommands(paneCommands, { 'pane.toggle': () => open(!isOpen) });
  const isSheet = windowWidth === 'narrow' || windowWidth === 'slim';
  return (
    <div
      className={`rb-fill ${classes.work}`}
      style={{ '--rb-pane': `${share}%` } as CSSProperties}
      data-layout={isWide ? 'beside' : isSheet ? 'sheet' : 'over'}
      data-open={isOpen || undefined}
      data-full={isFull || undefined}
    >
      <div className={`rb-pane ${classes.chart}`}>{chart}</div>
      {isOpen && (
        <>
          {isWide && <SplitHandle label="Pane size" share={share} onResize={resize} onCollapse={() => open(false)} />}
          <section className={`rb-pane ${classes.pane}`} aria-label="Request and response">
            <div className={classes.tabs}>
              <div role="tablist" aria-label="Inspector tabs" className={`rb-fill ${classes.list}`}>
                {inspectorTabs.map((one) => (
                  <UnstyledButton
                    key={one}
                    role="tab"
                    className={`rb-item rb-row rb-fixed rb-dim rb-medium ${classes.tab}`}
                    aria-selected={one === tab}
                    aria-label={one === 'json' && isDeviating ? `${tabNames[one]}, with deviations` : undefined}
                    onClick={() => showTab(one)}
                  >
                    {tabNames[one]}
                    {one === 'json' && isDeviating && <span className="rb-dot" data-tone="warn" />}
                  </UnstyledButton>
                ))}
              </div>
              {isSheet && (
                <UnstyledButton className="rb-item rb-small" onClick={() => setFull(!isFull)}>
                  {isFull ? 'Half' : 'Full'}
                </UnstyledButton>
              )}
              <CloseButton
                aria-label="Close the pane"
                aria-keyshortcuts="]"
                title={labelWithKey('Close the pane', paneCommands['pane.toggle'])}
                onClick={() => open(false)}
              />
            </div>
            <div className="rb-pane">{pane}</div>
            <div className={classes.foot}>{foot}</div>
          </section>
        </>
      )}
      {!isOpen && <div className={classes.footBelow}>{foot}</div>}
    </div>
  );
}
