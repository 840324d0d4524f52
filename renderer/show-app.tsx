// The screens over a store, with all that they look like.
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import './ui/theme.css';
import './ui/base.css';
import './ui/parts.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import type { AppStore } from './store/app-state.ts';
import { AppStoreContext } from './store/use-app.ts';
import { cssVariables, theme } from './ui/theme.ts';

/** Returns the function that removes them. */
export function showApp(
  element: Element,
  store: AppStore,
  { onReconnect, styleNonce }: { onReconnect: () => void; styleNonce: string },
): () => void {
  const root = createRoot(element);
  root.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <AppStoreContext value={store}>
          <App onReconnect={onReconnect} />
        </AppStoreContext>
      </MantineProvider>
    </StrictMode>,
  );
  return () => root.unmount();
}
