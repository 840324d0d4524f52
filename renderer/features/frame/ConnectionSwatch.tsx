// How a connection is marked in its menu: its color and its host.
import classes from './ConnectionMenu.module.css';

export function Swatch({ color }: { readonly color: string }) {
  return <span className={classes.swatch} style={{ background: color }} />;
}

export function formatHost(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '');
}
