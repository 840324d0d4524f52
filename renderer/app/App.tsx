// The frame, and the features in it.
import { Loader } from '@mantine/core';
import { Suspense } from 'react';
import { Frame } from '../features/frame/Frame.tsx';
import { useApp, useAppStore } from '../store/use-app.ts';
import { ScreenBoundary } from '../ui/controls/ScreenBoundary.tsx';
import { Toasts } from '../widgets/Toasts.tsx';

export function App({ onReconnect }: { readonly onReconnect: () => void }) {
  const { features } = useAppStore();
  const name = useApp((state) => state.frame.screen);
  const connectionChanges = useApp((state) => state.frame.connectionChanges);
  const screen = features.find((feature) => feature.screen?.name === name)?.screen;
  return (
    <>
      <Frame onReconnect={onReconnect}>
        <ScreenBoundary key={screen?.isOfService ? `${name} ${connectionChanges}` : name}>
          <Suspense fallback={<Loader m="xl" role="img" aria-label="Loading the screen" />}>
            {screen && <screen.View />}
          </Suspense>
        </ScreenBoundary>
      </Frame>
      <Dialogs />
      <Toasts />
    </>
  );
}

function Dialogs() {
  const dialogs = useAppStore().features.flatMap((feature) => feature.dialogs ?? []);
  /** A digit per dialog. */
  const open = useApp((state) => dialogs.map(({ isOpen }) => Number(isOpen(state))).join(''));
  return (
    <ScreenBoundary key={open}>
      <Suspense fallback={null}>
        {dialogs.map(({ View }, index) => open[index] === '1' && <View key={index} />)}
      </Suspense>
    </ScreenBoundary>
  );
}
