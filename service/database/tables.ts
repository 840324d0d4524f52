// All tables of the service's database. Each subject folder owns its own; here they only meet.
import type { AccountTables } from '../accounts/tables.ts';
import type { DeliveryTables } from '../delivery/tables.ts';
import type { MailTables } from '../mail/tables.ts';
import type { MetagTables } from '../metags/tables.ts';
import type { MonitorTables } from '../monitors/tables.ts';
import type { OAuthTables } from '../oauth/tables.ts';
import type { WeatherTables } from '../weather/tables.ts';

export type Tables = AccountTables &
  OAuthTables &
  MailTables &
  MetagTables &
  MonitorTables &
  DeliveryTables &
  WeatherTables;
