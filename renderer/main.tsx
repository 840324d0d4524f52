// The window's composition root: the line to core, the store over it, and the screens.
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import './ui/theme.css';
import './ui/base.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterFirstData } from './app/after-first-data.ts';
import { App } from './app/App.tsx';
import { connect } from './app/client.ts';
import { syncStore } from './app/sync-store.ts';
import { createAppStore } from './app/app-store.ts';
import { listenForKeys } from './store/listen-for-keys.ts';
import { AppStoreContext } from './store/use-app.ts';
import { endFirstScreen, loadLater, loadModules } from './ui/hooks/load-later.ts';
import { readStyleNonce } from './style-nonce.ts';
import { cssVariables, theme } from './ui/theme.ts';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no element with the id "root".');

const root = createRoot(element);
const styleNonce = readStyleNonce(document);
const connection = connect(window);
const store = createAppStore(connection.client);
listenForKeys(store, window);
void start();

/** A link decides which screen comes first and what is fetched; until there is one, the address bar can wait. */
async function start(): Promise<void> {
  const hasLink = window.location.hash.length > 1;
  if (hasLink) await loadAddress();
  syncStore(store, connection);
  render();
  const firstData = afterFirstData(store);
  const link = new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));
  if (!hasLink) await Promise.race([firstData, link]).then(loadAddress);
  await firstData;
  const { afterStart } = await loadLater(() => import('./app/after-start.ts'));
  afterStart(store, window);
  await loadModules();
}

async function loadAddress(): Promise<void> {
  endFirstScreen();
  const { syncAddress } = await loadLater(() => import('./app/sync-address.ts'));
  syncAddress(store, window);
}

function render(): void {
  root.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <AppStoreContext value={store}>
          <App onReconnect={connection.retryNow} />
        </AppStoreContext>
      </MantineProvider>
    </StrictMode>,
  );
}
