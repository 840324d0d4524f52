/** What a slice of the former connection gets instead of sending. */
export class ConnectionChanged extends Error {
  readonly code = 'UNAVAILABLE';
  constructor() {
    super('Not sent because the active connection changed in the meantime.');
  }
}
