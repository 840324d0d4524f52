// The state of the app in one line at the bottom.
import { afterFirstScreen } from '#renderer/ui/hooks/load-later.ts';
import { laterPart } from '#renderer/ui/controls/later-part.tsx';
import classes from './StatusBar.module.css';

const StatusParts = laterPart(async () => (await loadParts()).StatusParts);
const StatusListParts = laterPart(async () => (await loadParts()).StatusList);
const FreshnessPart = laterPart(async () => (await loadParts()).Freshness);

/** The bar keeps its height until then. */
async function loadParts() {
  await afterFirstScreen;
  return import('./StatusParts.tsx');
}

export function StatusBar() {
  return (
    <footer className={classes.bar} aria-label="Status">
      <StatusParts />
    </footer>
  );
}

/** The same parts stacked, if the window has no room for the bar. */
export function StatusList() {
  return <StatusListParts />;
}

/** How old the forecast on screen is. */
export function Freshness() {
  return <FreshnessPart />;
}
