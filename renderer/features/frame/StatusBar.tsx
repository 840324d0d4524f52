// The state of the app in one line at the bottom: token, receiver, who can reach it, and how fresh the forecast is.
// Each part opens its screen.
import { isForecastFailing, selectForecast, selectForecastRequest } from '../forecast/selectors.ts';
import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppStatus, TokenCard } from '@rainbell/contract/app-rpc';
import type { Screen } from '../../store/app-state.ts';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { FeatureParts } from '../../widgets/FeatureParts.tsx';
import { formatDuration } from '../../ui/text/durations.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { freshForMs } from '../forecast/common/auto-refresh.ts';
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
  return part(tone, text, token.state === 'failed' ? token.lastProblem?.message : undefined);

  function part(tone: Tone, text: string, title?: string) {
    return (
      <Part tone={tone} opens={connection?.state === 'failed' ? 'connections' : 'access'} {...(title && { title })}>
        {text}
      </Part>
    );
  }
}

function describeToken({ state, owner, expiresAt }: TokenCard, now: number): { tone: Tone; text: string } {
  switch (state) {
    case 'none':
      return { tone: 'good', text: 'No token yet' };
    case 'fetching':
      return { tone: 'good', text: 'Requesting token…' };
    case 'failed':
      return { tone: 'bad', text: 'Token request failed' };
    case 'expired':
    case 'valid': {
      const left = expiresAt === null ? Infinity : Date.parse(expiresAt) - now;
      const isUser = owner === 'user';
      if (left <= 0) return { tone: 'warn', text: isUser ? 'User token expired' : 'Application token expired' };
      const tone = left < 60_000 ? 'warn' : 'good';
      const rest = expiresAt === null ? 'expiry unknown' : `${formatDuration(left)} left`;
      return { tone, text: isUser ? `User token: ${rest}` : `Application token: ${rest}` };
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
function Freshness() {
  const forecast = useApp(selectForecast);
  const request = useApp(selectForecastRequest);
  const isFailing = useApp((state) => isForecastFailing(state) || state.frame.link.state !== 'connected');
  const now = useNow(5000);
  if (forecast === null) return null;
  // In a browser on another machine, the host's clock may be ahead or behind.
  const lastAt = request.state === 'done' ? request.at : Math.min(now, Date.parse(forecast.fetchedAt));
  const isOld = oldSince(forecast, serviceNow(forecast, now)) !== null;
  const isStale = isFailing || isOld || now - lastAt > freshForMs;
  const age = formatDuration(dataAge(forecast, now).ageMs);
  return (
    <Part tone={isStale ? 'warn' : 'good'} opens="forecast">
      {isStale ? `Stale, ${age} old` : `Fresh, ${age} old`}
    </Part>
  );
}
