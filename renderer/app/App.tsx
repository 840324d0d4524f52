// The frame and the screens in it. Features meet only here.
import { Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { AppCommands } from './AppCommands.tsx';
import { ForecastScreen } from '../features/forecast/ForecastScreen.tsx';
import { Frame } from '../features/frame/Frame.tsx';
import { HelpButton } from '../features/help/HelpButton.tsx';
import type { Screen } from '../store/screens.ts';
import { ThemeSync } from '../features/settings/ThemeSync.tsx';
import { useApp } from '../store/use-app.ts';
import { atRest } from '../ui/hooks/at-rest.ts';
import { ScreenBoundary } from '../ui/controls/ScreenBoundary.tsx';
import { Toasts } from '../widgets/Toasts.tsx';

const RulesButton = lazy(async () => ({
  default: (await import('../features/rules/RulesButton.tsx')).RulesButton,
}));
const CallbacksScreen = lazy(async () => ({
  default: (await import('../features/callbacks/CallbacksScreen.tsx')).CallbacksScreen,
}));

const screenViews: Readonly<Record<Screen, ComponentType>> = {
  // The first one, so not a file of its own.
  forecast: ForecastScreen,
  monitors: lazy(async () => ({
    default: (await import('../features/monitors/MonitorsScreen.tsx')).MonitorsScreen,
  })),
  callbacks: () => <CallbacksScreen action={<RulesButton />} />,
  access: lazy(async () => ({ default: (await import('../features/access/AccessScreen.tsx')).AccessScreen })),
  traffic: lazy(async () => ({
    default: (await import('../features/traffic/TrafficScreen.tsx')).TrafficScreen,
  })),
  sandbox: lazy(async () => ({
    default: (await import('../features/sandbox/SandboxScreen.tsx')).SandboxScreen,
  })),
  connections: lazy(async () => ({
    default: (await import('../features/connections/ConnectionsScreen.tsx')).ConnectionsScreen,
  })),
  settings: lazy(async () => ({
    default: (await import('../features/settings/SettingsScreen.tsx')).SettingsScreen,
  })),
  help: lazy(async () => ({ default: (await import('../features/help/HelpScreen.tsx')).HelpScreen })),
};

/**
 * Screens that start over with another connection, because what was typed or selected in them belongs to the former service: a
 * monitor can have the same ID at both.
 */
const ofService: ReadonlySet<Screen> = new Set(['forecast', 'monitors', 'access', 'sandbox']);

const loadPalette = async () => ({ default: (await import('../features/palette/Palette.tsx')).Palette });
const Palette = lazy(loadPalette);
const KeySheet = lazy(async () => ({ default: (await import('../features/palette/KeySheet.tsx')).KeySheet }));
const MonitorDialogs = lazy(async () => ({
  default: (await import('../features/monitors/form/MonitorDialogs.tsx')).MonitorDialogs,
}));

const ConnectionDialog = lazy(async () => ({
  default: (await import('../features/connections/ConnectionDialog.tsx')).ConnectionDialog,
}));
const ConsentDialog = lazy(async () => ({
  default: (await import('../features/agents/ConsentDialog.tsx')).ConsentDialog,
}));
const RulesDialog = lazy(async () => ({
  default: (await import('../features/rules/RulesDialog.tsx')).RulesDialog,
}));

export function App({ onReconnect }: { readonly onReconnect: () => void }) {
  const screen = useApp((state) => state.frame.screen);
  const isPaletteOpen = useApp((state) => state.frame.isPaletteOpen);
  const isSheetOpen = useApp((state) => state.commands.isSheetOpen);
  const isDialogOpen = useApp((state) => state.monitors.dialog !== null);
  const areRulesOpen = useApp((state) => state.rules.isOpen);
  const isEditorOpen = useApp((state) => state.connections.editor !== null);
  const hasConsentRequests = useApp((state) => state.consents.consents.length > 0);
  // At hand before the first Ctrl K, so that no keystroke is lost while it loads; but long after the first screen has what it
  // needs.
  const isAtWork = useApp(({ forecast: { request } }) => request.state === 'idle' || request.state === 'loading');
  useEffect(() => {
    // What cannot be loaded now is loaded with the first Ctrl K.
    const warmUp = () =>
      void atRest()
        .then(loadPalette)
        .catch(() => {});
    const timer = setTimeout(warmUp, isAtWork ? 3000 : 1000);
    return () => clearTimeout(timer);
  }, [isAtWork]);
  const connectionChanges = useApp((state) => state.frame.connectionChanges);
  const View = screenViews[screen];
  return (
    <>
      <ThemeSync />
      <AppCommands />
      <Frame help={<HelpButton />} onReconnect={onReconnect}>
        <ScreenBoundary key={ofService.has(screen) ? `${screen} ${connectionChanges}` : screen}>
          <Suspense fallback={<Loader m="xl" role="img" aria-label="Loading the screen" />}>
            <View />
          </Suspense>
        </ScreenBoundary>
      </Frame>
      <ScreenBoundary
        key={`${isPaletteOpen} ${isSheetOpen} ${isDialogOpen} ${areRulesOpen} ${isEditorOpen} ${hasConsentRequests}`}
      >
        <Suspense fallback={null}>
          {isPaletteOpen && <Palette />}
          {isSheetOpen && <KeySheet />}
          {isDialogOpen && <MonitorDialogs />}
          {areRulesOpen && <RulesDialog />}
          {isEditorOpen && <ConnectionDialog />}
          {hasConsentRequests && <ConsentDialog />}
        </Suspense>
      </ScreenBoundary>
      <Toasts />
    </>
  );
}
