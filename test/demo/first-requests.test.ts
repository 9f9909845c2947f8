import { expect, test } from 'vitest';
import { firstRequests } from '../../src/demo/first-requests.ts';

const access = { serviceUrl: 'http://127.0.0.1:8080', applicationId: 'app_x', secret: 'ops_y' };

test('the commands that the demo prints fit the terminal of the machine', () => {
  expect(firstRequests(access, 'linux')).toMatch(/^TOKEN=\$\(curl -s -A app_x /);
  const forPowerShell = firstRequests(access, 'win32');
  expect(forPowerShell).toContain('Invoke-RestMethod http://127.0.0.1:8080/v1/servers -UserAgent app_x');
  expect(forPowerShell).not.toMatch(/curl|sed/);
});
