// All tables of the service's database. Each subject folder owns its own; here they only meet.
import type { DeliveryTables } from '../delivery/tables.ts';
import type { MonitorTables } from '../monitors/tables.ts';

export type Tables = MonitorTables & DeliveryTables;
