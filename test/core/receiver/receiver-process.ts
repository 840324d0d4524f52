// A receiver in a process of its own, to be killed in the middle of its work, or measured. Prints its port.
import { join } from 'node:path';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { closedAccess, receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { runReceiver } from '#core/receiver/server/run-receiver.ts';

const file = join(process.argv[2] ?? '', 'app.sqlite');
openAppDatabase({ file, clock: systemClock });
const receiver = runReceiver({
  file,
  limits: receiverLimits,
  rules: { pause: 'off', rules: [] },
  clock: systemClock,
  post: () => {},
});
console.log(await receiver.listen(0, closedAccess));
