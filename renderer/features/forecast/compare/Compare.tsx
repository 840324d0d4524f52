// Two forecasts side by side: two fetches of a place, two places, or two connections. Each side loads and fails on its own;
// what both say is drawn on one axis of time, and each difference is named.
import { ActionIcon, CloseButton } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { useShownPlace } from '#renderer/store/shown.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import { Tooltip } from '#renderer/ui/controls/Tooltip.tsx';
import { useTimes, useUnits } from '#renderer/widgets/use-units.ts';
import { Attribution } from '#renderer/features/forecast/common/Attribution.tsx';
import classes from './Compare.module.css';
import { compareForecasts } from './compare-forecasts.ts';
import type { SideName } from './compare-slice.ts';
import { CompareChart } from './CompareChart.tsx';
import { CompareSidePicker } from './CompareSidePicker.tsx';
import { Differences } from './Differences.tsx';
import { useShownZone } from '#renderer/features/forecast/common/use-shown-zone.ts';

export function Compare() {
  const { sides, a, b, close, open, loadFetches } = useApp((state) => state.compare);
  const { lat, lng } = useShownPlace();
  const wantFocus = useApp((state) => state.forecast.wantFocus);
  const closeAndGoBack = () => {
    close();
    wantFocus(true);
  };
  useEffect(() => void loadFetches({ lat, lng }), [loadFetches, lat, lng]);
  const card = useRef<HTMLElement>(null);
  // The key C took the timeline away, and the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, []);
  if (!sides) return null;
  const shown = [a.forecast, b.forecast].filter((forecast) => forecast !== null);
  return (
    <>
      <section className={`rb-card ${classes.card}`} aria-labelledby="rb-compare-title" ref={card} tabIndex={-1}>
        <header className={classes.head} role="presentation">
          <h2 id="rb-compare-title">Compare</h2>
          <CloseButton aria-label="Close the comparison" onClick={closeAndGoBack} className={classes.close ?? ''} />
        </header>
        <div className={classes.sides}>
          <CompareSidePicker name="a" />
          <Tooltip label="Swap the sides">
            <ActionIcon
              variant="default"
              aria-label="Swap the sides"
              onClick={() => void open({ a: sides.b, b: sides.a })}
            >
              <IconArrowsExchange size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <CompareSidePicker name="b" />
        </div>
        <SideNotice name="a" />
        <SideNotice name="b" />
        {a.forecast && b.forecast && <Both first={a.forecast} second={b.forecast} />}
      </section>
      {shown.length > 0 && <Attribution forecasts={shown} />}
    </>
  );
}

function SideNotice({ name }: { readonly name: SideName }) {
  const { request } = useApp((state) => state.compare[name]);
  const retry = useApp((state) => state.compare.retry);
  const words = name.toUpperCase();
  return (
    <RequestNotice
      request={request}
      failedTitle={`Couldn’t fetch ${words}`}
      loadingText={`Fetching ${words}`}
      onRetry={() => void retry(name)}
    />
  );
}

function Both({ first, second }: { readonly first: Forecast; readonly second: Forecast }) {
  const { zone } = useShownZone(first);
  const times = useTimes(zone);
  const units = useUnits();
  const comparison = useMemo(() => compareForecasts(first, second, units), [first, second, units]);
  return (
    <>
      <CompareChart first={first} second={second} times={times} comparison={comparison} />
      <Differences comparison={comparison} first={first} second={second} times={times} />
    </>
  );
}
