// The types of the service's tables, which each subject adds to `Tables`.
import '#service/accounts/tables.ts';
import '#service/database/counters.ts';
import '#service/monitors/delivery/tables.ts';
import '#service/mail/tables.ts';
import '#service/metags/metag-store.ts';
import '#service/monitors/tables.ts';
import '#service/oauth/tables.ts';
import '#service/verification/outcome-log.ts';
import '#service/weather/stored/weather-store.ts';
