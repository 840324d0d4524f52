// The door of service: what other packages may use.
export { runEmbeddedService } from './app/embedded-service.ts';
export { runService } from './app/run-service.ts';
export { serviceFolder } from './config/config.ts';
export { sandboxCredentials } from './oauth/sandbox.ts';
export { describeFailure, StartError } from './errors/start-error.ts';
export { checkProviders } from './weather/check-providers.ts';
