// The colors that connections can have.
import type { ConnectionFields } from '@rainbell/contract/app-rpc';

export type ConnectionColor = ConnectionFields['color'];

/** Each with its name for people; red is for production, which stands out in the frame. */
export const connectionColorNames: Readonly<Record<ConnectionColor, string>> = {
  gray: 'Gray',
  blue: 'Blue',
  teal: 'Teal',
  green: 'Green',
  yellow: 'Yellow',
  orange: 'Orange',
  red: 'Red (highlights production)',
  violet: 'Violet',
};

export function connectionColor(color: ConnectionColor): string {
  return `var(--mantine-color-${color}-6)`;
}
