// The state of the app in one line at the bottom: connection and token, receiver, who can reach it, how fresh the forecast is, and requests that
// last. Each part opens its screen.
import { isForecastFailing, selectForecast, selectForecastRequest } from '../forecast/selectors.ts';
import { Loader, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppStatus, TokenState } from '@rainbell/contract/app-rpc';
import type { AppState, Screen } from '../../store/app-state.ts';
import type { Request } from '../../store/request.ts';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { FeatureParts } from '../../widgets/FeatureParts.tsx';
import { plural } from '@rainbell/shared';
import { formatDuration } from '../../ui/text/durations.ts';
import { useIsSlow } from '../../ui/hooks/use-is-slow.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { freshForMs, nextRefreshAt } from '../forecast/common/auto-refresh.ts';
import { dataAge, oldSince, serviceNow } from '../forecast/common/timeline-model.ts';
import classes from './StatusBar.module.css';

type Tone = 'good' | 'warn' | 'bad' | 'plain';

export function StatusBar() {
  return (
    <footer className={classes.bar} aria-label="Status">
      <ConnectionStatus />
      <ReceiverStatus />
      <ExposureStatus />
      <FeatureParts name="status" />
      <span className={`rb-fill ${classes.space}`} />
      <Work />
      <Freshness />
    </footer>
  );
}

/** The same parts stacked, if the window has no room for the bar. */
export function StatusList() {
  return (
    <div className={`rb-part ${classes.list}`}>
      <ConnectionStatus />
      <ReceiverStatus />
      <ExposureStatus />
      <Freshness />
    </div>
  );
}

type PartProps = { tone: Tone; opens: Screen; section?: string; title?: string; children: ReactNode };

function Part({ tone, opens, section, title, children }: Readonly<PartProps>) {
  const { goTo, openSection } = useAppStore().getState().frame;
  const { features } = useAppStore();
  const screen = features.find((feature) => feature.screen?.name === opens)?.screen;
  return (
    <UnstyledButton
      className={`rb-row rb-note rb-item ${classes.part}`}
      data-tone={tone}
      title={title ?? `Open ${screen?.title}`}
      onClick={() => {
        goTo(opens);
        if (section !== undefined) openSection(opens, section);
      }}
    >
      {tone !== 'plain' && <span className="rb-dot" />}
      <span className="rb-truncate">{children}</span>
    </UnstyledButton>
  );
}

function ConnectionStatus() {
  const link = useApp((state) => state.frame.link.state);
  const connection = useApp((state) => state.frame.status?.connection);
  const token = useApp((state) => state.frame.status?.token);
  const now = useNow(1000);
  if (!connection || !token) return null;
  if (link !== 'connected') return part('bad', 'Not connected to the app');
  if (connection.state === 'starting') return part('warn', 'Service is starting…');
  if (connection.state === 'failed') return part('bad', 'Service not reachable', connection.problem?.message);
  const { tone, text } = describeToken(token, now);
  return part(tone, text, token.state === 'failed' ? token.problem.message : undefined);

  function part(tone: Tone, text: string, title?: string) {
    return (
      <Part tone={tone} opens={connection?.state === 'failed' ? 'connections' : 'access'} {...(title && { title })}>
        {text}
      </Part>
    );
  }
}

function describeToken(token: TokenState, now: number): { tone: Tone; text: string } {
  switch (token.state) {
    case 'none':
      return { tone: 'good', text: 'Connected, no token yet' };
    case 'fetching':
      return { tone: 'good', text: 'Connected, requesting token…' };
    case 'failed':
      return { tone: 'bad', text: 'Token request failed' };
    case 'valid': {
      const left = Date.parse(token.expiresAt) - now;
      const isUser = token.owner === 'user';
      if (left <= 0)
        return {
          tone: 'warn',
          text: isUser ? 'Connected, user token expired' : 'Connected, application token expired',
        };
      const tone = left < 60_000 ? 'warn' : 'good';
      const rest = formatDuration(left);
      return {
        tone,
        text: isUser ? `Connected, user token: ${rest} left` : `Connected, application token: ${rest} left`,
      };
    }
  }
}

function ReceiverStatus() {
  const receiver = useApp((state) => state.frame.status?.receiver);
  const isConnected = useApp((state) => state.frame.link.state === 'connected');
  if (!receiver) return null;
  const host = receiver.baseUrl === null ? null : new URL(receiver.baseUrl).host;
  const tone =
    receiver.state === 'failed'
      ? 'bad'
      : receiver.state === 'starting' || receiver.notice
        ? 'warn'
        : isConnected
          ? 'good'
          : 'plain';
  return (
    <Part tone={tone} opens="callbacks" {...(receiver.notice && { title: receiver.notice })}>
      {host === null ? (
        receiverTexts[receiver.state]
      ) : (
        <>
          Receiver <span className="rb-mono">{host}</span>
        </>
      )}
    </Part>
  );
}

const receiverTexts: Readonly<Record<AppStatus['receiver']['state'], string>> = {
  starting: 'Receiver starting',
  listening: 'Receiver listening',
  failed: 'Receiver failed',
};

function ExposureStatus() {
  const exposure = useApp((state) => state.frame.status?.exposure);
  if (!exposure) return null;
  return (
    <Part
      tone={exposure.lan ? 'warn' : 'plain'}
      opens="settings"
      section="receiver"
      title="Open Settings: callback receiver"
    >
      {exposureText(exposure)}
    </Part>
  );
}

function exposureText({ tls, lan }: AppStatus['exposure']): string {
  if (tls) return lan ? 'HTTPS, local network' : 'HTTPS, this computer only';
  return lan ? 'HTTP only, local network' : 'HTTP only, this computer only';
}

/** Age of the forecast shown, as text too, so that color is never the only sign. */
export function Freshness() {
  const forecast = useApp(selectForecast);
  const request = useApp(selectForecastRequest);
  const isFailing = useApp((state) => isForecastFailing(state) || state.frame.link.state !== 'connected');
  const now = useNow(5000);
  if (forecast === null) return null;
  // In a browser on another machine, the host's clock may be ahead or behind.
  const lastAt = request.state === 'done' ? request.at : Math.min(now, Date.parse(forecast.fetchedAt));
  const isOld = oldSince(forecast, serviceNow(forecast, now)) !== null;
  const isStale = isFailing || isOld || now - lastAt > freshForMs;
  const nextAt = nextRefreshAt({ lastAt, failures: 0, failure: null }) ?? now;
  return (
    <Part tone={isStale ? 'warn' : 'good'} opens="forecast">
      {isStale ? `Stale, ${formatDuration(dataAge(forecast, now).ageMs)} old` : freshText(nextAt - now)}
    </Part>
  );
}

function freshText(wait: number): string {
  return wait < 30_000 ? 'Fresh, next fetch soon' : `Fresh, next fetch in ${formatDuration(wait)}`;
}

function Work() {
  const count = useApp(countLoading);
  const isSlow = useIsSlow(useApp(longestLoading));
  if (!isSlow || count === 0) return null;
  return (
    <Part tone="plain" opens="traffic">
      <Loader size={10} aria-hidden /> {plural(count, ['# request in progress', '# requests in progress'])}
    </Part>
  );
}

const idle: Request = { state: 'idle' };

function loadingOf(state: AppState): readonly Request[] {
  const slices: readonly object[] = Object.values({ ...state });
  const values: readonly unknown[] = slices.flatMap((slice) => Object.values(slice));
  return values.filter(isLoading);
}

function isLoading(value: unknown): value is Request {
  return (
    typeof value === 'object' && value !== null && 'since' in value && 'state' in value && value.state === 'loading'
  );
}

function countLoading(state: AppState): number {
  return loadingOf(state).length;
}

/** The request that has been loading longest; the same object as long as it loads. */
function longestLoading(state: AppState): Request {
  return loadingOf(state)[0] ?? idle;
}
