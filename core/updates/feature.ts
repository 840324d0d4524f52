import type { Feature, Parts } from '../app/feature.ts';
import { createUpdateCheck, rainbellReleases } from './update-check.ts';

export function updates(parts: Parts): Feature<'updates'> {
  const { version, releases, settings, events, screens, json, clock, log } = parts;
  const { check, state, close } = createUpdateCheck({
    currentVersion: version,
    source: releases?.source ?? rainbellReleases,
    json,
    isAutomatic: () => releases?.isInstalled === true && settings.get().checksForUpdates,
    onChanged: () => screens.publish({ topic: 'status' }),
    clock,
    log,
  });
  events.on('updateCheckWanted', () => void check());
  return { handlers: { updates: { check } }, status: () => ({ update: state() }), close };
}
