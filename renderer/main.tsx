// The window's composition root: the line to core, the store over it, and the screens.
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
import { connect } from './app/client.ts';
import { showUnread } from './app/show-unread.ts';
import { startAutoRefresh } from './app/start-auto-refresh.ts';
import { syncAddress } from './app/sync-address.ts';
import { syncStore } from './app/sync-store.ts';
import { createAppStore } from './app/app-store.ts';
import { listenForKeys } from './store/listen-for-keys.ts';
import { AppStoreContext } from './store/use-app.ts';
import { readStyleNonce } from './style-nonce.ts';
import { cssVariables, theme } from './ui/theme.ts';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no element with the id "root".');

const root = createRoot(element);
const styleNonce = readStyleNonce(document);
const connection = connect(window);
const store = createAppStore(connection.client);
listenForKeys(store, window);
// First, because a link decides which screen comes first and what is fetched.
syncAddress(store, window);
syncStore(store, connection);
render();
showUnread(store, window);
startAutoRefresh(store, window);

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
