/** What a slice of the former connection gets instead of sending. */
export class ConnectionChanged extends Error {
  readonly code = 'UNAVAILABLE';
  constructor() {
    super('Not sent, because another connection was chosen in the meantime.');
  }
}
