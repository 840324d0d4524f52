// Throws if the machine does not know the zone of the project, or the process keeps another one: the tests would prove nothing.
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const wanted = process.env['TZ'];
if (timeZone !== wanted) throw new Error(`The tests run in the time zone ${timeZone} instead of ${wanted}.`);
