// Two forecasts side by side: fetches of a place, places, or connections. Each side loads and fails on its own; what they forecast is
// drawn on one axis of time, and each difference is named.
import { CloseButton } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useShownPlace } from '../selectors.ts';
import { useApp } from '../../../store/use-app.ts';
import { PlaceSearch } from '../../../widgets/PlaceSearch.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { Attribution } from '../common/Attribution.tsx';
import classes from './Compare.module.css';
import { compareForecasts } from './compare-forecasts.ts';
import { type CompareSide, sideNames, writeSide } from './compare-side.ts';
import { CompareChart } from './CompareChart.tsx';
import { CompareSidePicker, useSideGroups } from './CompareSidePicker.tsx';
import { Differences } from './Differences.tsx';
import { useShownTimes } from '../common/use-shown-times.ts';

export function Compare() {
  const { sides, loaded, choose, close, loadFetches } = useApp((state) => state.compare);
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
  const [a, b] = (sides ?? []).map((side) => loaded[writeSide(side)]?.forecast ?? null);
  const current = useApp((state) => state.forecast.forecast);
  // One zone for the pickers and the chart.
  const times = useShownTimes(a ?? b ?? current);
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
          <li>
            <CompareSidePicker place={0} side={sides[0]} groups={groups} times={times} />
          </li>
          <li>
            <CompareSidePicker place={1} side={sides[1]} groups={groups} times={times} />
          </li>
          <li>
            <PlaceSearch
              field="compare"
              label="Compare with a place"
              placeholder="Compare with a place…"
              place={null}
              onPick={(place) =>
                void choose(1, { kind: 'live', place: { lat: place.lat, lng: place.lng }, connectionId: null })
              }
            />
          </li>
        </ul>
        <SideNotice side={sides[0]} name={sideNames[0]} />
        <SideNotice side={sides[1]} name={sideNames[1]} />
        {a && b && <Compared a={a} b={b} times={times} />}
      </section>
      <Attribution forecasts={[a, b].flatMap((forecast) => forecast ?? [])} />
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

type ComparedProps = { a: Forecast; b: Forecast; times: ZonedTimes };

function Compared({ a, b, times }: Readonly<ComparedProps>) {
  const units = useUnits();
  const comparison = useMemo(() => compareForecasts(a, b, units), [a, b, units]);
  return (
    <Differences a={a} b={b} comparison={comparison} times={times}>
      <CompareChart a={a} b={b} times={times} comparison={comparison} />
    </Differences>
  );
}
