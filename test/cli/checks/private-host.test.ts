import { expect, it } from 'vitest';
import { isPrivateHost } from '../../../src/cli/checks/private-host.ts';

it.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.16.0.1', true],
  ['192.168.1.20', true],
  ['169.254.10.1', true],
  ['100.64.0.1', true],
  ['::1', true],
  ['fd00::1', true],
  ['fe80::1', true],
  ['localhost', true],
  ['host.docker.internal', true],
  ['8.8.8.8', false],
  ['172.32.0.1', false],
  ['2001:4860:4860::8888', false],
  ['play.example.org', false],
])('knows whether only a private network reaches %s: %s', (host, isPrivate) => {
  expect(isPrivateHost(host)).toBe(isPrivate);
});
