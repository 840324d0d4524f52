// One setting: what it is and means, its default, and its control with "Reset" while it differs.
import { Button } from '@mantine/core';
import type { SettingRow } from '@rainbell/contract/app-rpc';
import type { ReactNode } from 'react';
import classes from './SettingsScreen.module.css';

type Props = {
  row: SettingRow;
  /** In place of the row's. */
  meaning?: ReactNode;
  /** The control below the words instead of beside them. */
  isWide?: boolean;
  defaultText?: string;
  /** Undefined while the setting has its default. */
  onReset?: (() => void) | undefined;
  children?: ReactNode;
};

export function SettingFrame({ row, meaning = row.meaning, isWide, defaultText, onReset, children }: Readonly<Props>) {
  return (
    <div className={classes.row} data-wide={isWide || undefined}>
      <div>
        <h3>{row.title}</h3>
        {meaning !== '' && <div className={`rb-note rb-break ${classes.words}`}>{meaning}</div>}
        {defaultText !== undefined && (
          <p className="rb-row rb-wrap rb-note">
            Default: {defaultText}
            {onReset && (
              <Button size="compact-xs" variant="subtle" aria-label={`Reset ${row.title}`} onClick={onReset}>
                Reset
              </Button>
            )}
          </p>
        )}
      </div>
      {children !== undefined && <div className={`rb-column ${classes.control}`}>{children}</div>}
    </div>
  );
}
