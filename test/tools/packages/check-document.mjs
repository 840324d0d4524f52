// Lints an OpenAPI document with redocly and spectral: `node check-document.mjs FILE` prints {redocly, spectral} as JSON.
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

const source = readFileSync(process.argv[2], 'utf8');

const config = await createConfig({ extends: ['recommended'] });
const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
const redocly = problems.map(({ ruleId, severity, message, location }) => {
  return { rule: ruleId, severity, message, at: location[0]?.pointer ?? '' };
});

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [spectralRulesets.oas], rules: {} });
const results = await spectral.run(JSON.parse(source));
const found = results.map(({ code, severity, message, path }) => {
  return { rule: String(code), severity: severity === 0 ? 'error' : 'warn', message, at: path.join('/') };
});

process.stdout.write(JSON.stringify({ redocly, spectral: found }));
