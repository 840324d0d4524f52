// Two to four forecasts side by side: fetches of a place, places, or connections. Each side loads and fails on its own; what
// they forecast is drawn on one axis of time, and each difference from the first is named.
import { CloseButton } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { useShownPlace } from '../selectors.ts';
import { useApp } from '../../../store/use-app.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { Attribution } from '../common/Attribution.tsx';
import classes from './Compare.module.css';
import { compareForecasts } from './compare-forecasts.ts';
import { type CompareSide, maxSides, type ShownSide, sideName, writeSide } from './compare-side.ts';
import { CompareChart } from './CompareChart.tsx';
import { AddSide, CompareSidePicker, useSideGroups } from './CompareSidePicker.tsx';
import { Differences, Verdict } from './Differences.tsx';
import { useShownTimes } from '../common/use-shown-times.ts';

export function Compare() {
  const { sides, loaded, close, loadFetches } = useApp((state) => state.compare);
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
  const shown = useMemo(
    () =>
      (sides ?? []).flatMap((side, index): ShownSide[] => {
        const forecast = loaded[writeSide(side)]?.forecast;
        return forecast ? [{ index, name: sideName(index), forecast }] : [];
      }),
    [sides, loaded],
  );
  const [first] = shown;
  const current = useApp((state) => state.forecast.forecast);
  // One zone for the pickers and the chart.
  const times = useShownTimes(first?.forecast ?? current);
  const groups = useSideGroups(times);
  if (!sides) return null;
  return (
    <>
      <section
        className={`rb-card rb-column rb-padded ${classes.card}`}
        aria-labelledby="rb-compare-title"
        ref={card}
        tabIndex={-1}
      >
        <header className="rb-row" role="presentation">
          <h2 id="rb-compare-title">Compare</h2>
          <CloseButton aria-label="Close the comparison" onClick={closeAndGoBack} className="rb-end" />
        </header>
        <ul className={classes.sides} aria-label="Compared forecasts">
          {sides.map((side, index) => (
            // A side is its place; the same forecast may be there twice.
            <li key={index}>
              <CompareSidePicker
                index={index}
                side={side}
                groups={groups}
                times={times}
                isRemovable={sides.length > 2}
              />
            </li>
          ))}
          {sides.length < maxSides && (
            <li>
              <AddSide groups={groups} />
            </li>
          )}
        </ul>
        {sides.map((side, index) => (
          <SideNotice key={index} side={side} name={sideName(index)} />
        ))}
        {first?.index === 0 && shown.length > 1 && <Compared shown={shown} times={times} />}
      </section>
      {shown.length > 0 && <Attribution forecasts={shown.map(({ forecast }) => forecast)} />}
    </>
  );
}

function SideNotice({ side, name }: { readonly side: CompareSide; readonly name: string }) {
  const request = useApp((state) => state.compare.loaded[writeSide(side)]?.request);
  const retry = useApp((state) => state.compare.retry);
  if (!request || request.state === 'done') return null;
  return (
    <RequestNotice
      request={request}
      failedTitle={`Couldn’t fetch forecast ${name}`}
      loadingText={`Fetching forecast ${name}`}
      onRetry={() => void retry([side])}
    />
  );
}

type ComparedProps = { shown: readonly ShownSide[]; times: ZonedTimes };

function Compared({ shown, times }: Readonly<ComparedProps>) {
  const units = useUnits();
  const comparison = useMemo(
    () =>
      compareForecasts(
        shown.map(({ forecast }) => forecast),
        units,
      ),
    [shown, units],
  );
  return (
    <>
      <Verdict shown={shown} comparison={comparison} times={times} />
      <CompareChart shown={shown} times={times} comparison={comparison} />
      <Differences shown={shown} comparison={comparison} times={times} />
    </>
  );
}
