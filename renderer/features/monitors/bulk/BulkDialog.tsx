// Asks what an action on many monitors needs: an address, or how far to move.
import { Button, Radio, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AppMonitor, CallbackTarget } from '#contract/app-rpc/monitors.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { parseCallbackAddress } from '#renderer/ui/text/coordinate-text.ts';
import classes from '#renderer/features/monitors/common/MonitorDialogs.module.css';

export const bulkTitles = {
  callback: 'Set the callback of',
  move: 'Move',
  duplicate: 'Duplicate',
} as const;
type Action = keyof typeof bulkTitles;

type Props = { action: Action; monitors: readonly AppMonitor[] };

export function BulkForm({ action, monitors }: Readonly<Props>) {
  const { openDialog, setCallbackOf, moveAll, duplicateAll } = useApp((state) => state.monitors);
  const [kind, setKind] = useState<CallbackTarget['kind']>('this-app');
  const [address, setAddress] = useState('');
  const [north, setNorth] = useState(action === 'duplicate' ? '0.01' : '0');
  const [east, setEast] = useState('0');
  const [isShown, setShown] = useState(false);
  const parsed = kind === 'address' ? parseCallbackAddress(address) : null;
  const by = { lat: degrees(north), lng: degrees(east) };
  const needsAddress =
    action === 'callback' || (action === 'duplicate' && monitors.some((one) => one.callbackUri === null));
  const isOffset = action !== 'callback';
  const problems = {
    address: needsAddress && parsed?.ok === false ? parsed.problem : null,
    north: isOffset && by.lat === null ? 'A number of degrees from −360 to 360.' : null,
    east: isOffset && by.lng === null ? 'A number of degrees from −360 to 360.' : null,
    nothing: action === 'move' && by.lat === 0 && by.lng === 0 ? 'Nothing would move.' : null,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShown(true);
    if (Object.values(problems).some((problem) => problem !== null)) return;
    const callback: CallbackTarget = parsed?.ok ? { kind: 'address', uri: parsed.value } : { kind: 'this-app' };
    const offset = { lat: by.lat ?? 0, lng: by.lng ?? 0 };
    openDialog(null);
    if (action === 'callback') void setCallbackOf(monitors, callback);
    else if (action === 'move') void moveAll(monitors, offset);
    else void duplicateAll(monitors, offset, callback);
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.fields}>
        {isOffset && (
          <div className={classes.pair}>
            <TextInput
              label="Degrees north"
              data-autofocus
              description="South is negative"
              value={north}
              error={isShown && (problems.north ?? problems.nothing)}
              onChange={(event) => setNorth(event.currentTarget.value)}
            />
            <TextInput
              label="Degrees east"
              description="West is negative"
              value={east}
              error={isShown && problems.east}
              onChange={(event) => setEast(event.currentTarget.value)}
            />
          </div>
        )}
        {needsAddress && (
          <Radio.Group
            label={
              action === 'callback' ? 'Callbacks go to' : 'Where the service did not return the address, the copy calls'
            }
            value={kind}
            onChange={(value) => setKind(value as CallbackTarget['kind'])}
          >
            <div className={classes.targets}>
              <Radio value="this-app" label="This app" description="Each under a path of its own" data-autofocus />
              <Radio value="address" label="An address" />
            </div>
          </Radio.Group>
        )}
        {needsAddress && kind === 'address' && (
          <TextInput
            label="Callback address"
            type="url"
            placeholder="https://example.net/rain"
            value={address}
            error={isShown && problems.address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
      </div>
      <p className={classes.changes}>
        Four at a time; each row shows its own result, and what failed can be tried again.
      </p>
      <div className={classes.buttons}>
        <Button type="submit">
          {bulkTitles[action]} {monitors.length}
        </Button>
        <Button variant="subtle" className={classes.cancel ?? ''} onClick={() => openDialog(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function degrees(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  return /^[+-]?\d+(\.\d+)?$/.test(plain) && Math.abs(Number(plain)) <= 360 ? Number(plain) : null;
}
