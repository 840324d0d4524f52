// Everything that sends something to another computer, and when.
import { type Attribution, providerAttributions } from '@rainbell/shared';
import { useApp } from '../../store/use-app.ts';
import type { SettingRow } from '@rainbell/contract/app-rpc';
import { SettingFrame } from './SettingFrame.tsx';
import classes from './SettingsScreen.module.css';

const providers = Object.values<Attribution>(providerAttributions).map(({ name, condition }) =>
  condition === undefined ? name : `${name} (${condition})`,
);

type Leaving = { what: string; where: string; when: string };

export function Privacy({ row: { title, meaning } }: { readonly row: SettingRow }) {
  const connection = useApp((state) => state.frame.status?.connection);
  const { checksForUpdates, providerContact } = useApp((state) => state.settings.values);
  const isElectron = useApp((state) => state.frame.status?.host === 'electron');
  const rows: readonly Leaving[] = [
    {
      what: 'Coordinates, monitors, credentials',
      where: connection?.isSandbox ? 'The built-in sandbox on this computer' : (connection?.baseUrl ?? 'The service'),
      when: 'While this connection is active',
    },
    {
      what: providerContact === null ? 'Rounded coordinates' : `Rounded coordinates and ${providerContact}`,
      where: `${providers.join(', ')}, and NOAA (airports)`,
      when: 'While the sandbox uses live providers',
    },
    { what: 'A callback', where: 'The URL that you enter', when: 'When you replay or forward it' },
    {
      what: 'The app version',
      where: 'github.com',
      when: checksForUpdates ? 'Once a day if installed, or on request' : 'On request',
    },
    ...(isElectron
      ? [{ what: 'The spell-check language', where: 'Google', when: 'Once, if you turn on spell checking' }]
      : []),
  ];
  return (
    <SettingFrame title={title} meaning={meaning} isWide>
      <table className={`rb-table rb-small ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">Data</th>
            <th scope="col">Recipient</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ what, where, when }) => (
            <tr key={what}>
              <td>{what}</td>
              <td>{where}</td>
              <td>{when}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </SettingFrame>
  );
}
