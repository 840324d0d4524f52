// The window's composition root: the line to core, the store over it, and the screens.
import { connect } from './app/connect.ts';
import { syncAddress } from './app/sync-address.ts';
import { syncStore } from './app/sync-store.ts';
import { createAppStore } from './app/app-store.ts';
import { showApp } from './show-app.tsx';
import { listenForKeys } from './store/listen-for-keys.ts';
import { readStyleNonce } from './style-nonce.ts';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no element with the id "root".');

const styleNonce = readStyleNonce(document);
const connection = connect(window);
const store = createAppStore(connection.client);
listenForKeys(store, window);
// First, because a link decides which screen comes first and what is fetched.
syncAddress(store, window);
syncStore(store, connection);
showApp(element, store, { onReconnect: connection.retryNow, styleNonce });
for (const { start } of store.features) start?.(store, window);
