// Run as a process of its own by receiver-kill.test.ts: a receiver that is killed in the middle of its work.
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
const port = await receiver.listen(0, closedAccess);
process.stdout.write(`${port}\n`);
