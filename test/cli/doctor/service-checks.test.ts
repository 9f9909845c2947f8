import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkService } from '../../../src/cli/doctor/service-checks.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import { version } from '../../../src/process/version.ts';

const file = 'outpost.yaml';
/** Nothing answers on port 1. */
const config = parseConfig('projects: [{ slug: a, name: A, servers: [] }]\nhttp: { port: 1 }\n', file, null, {
  variable: () => undefined,
  file: () => '',
});
const holder = { pid: 1, since: '2026-11-22T10:00:00Z', config: resolve(file), version };

test.each([
  ['on this machine is a problem if it does not answer', hostname(), 'wrong'],
  ['in another container cannot be checked, which is no problem', 'another-container', 'warning'],
])('a service %s', async (_where, host, status) => {
  const findings = await checkService(config, { ...holder, host }, file);
  expect(findings.map((finding) => finding.status)).toEqual(['good', status]);
});
