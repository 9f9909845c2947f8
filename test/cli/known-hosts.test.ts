import { expect, test } from 'vitest';
import { hostsOfStore } from '../../src/cli/known-hosts.ts';

const address = 'sftp://host.example:22';

test('the store is asked once for the key of a host that it knows', async () => {
  let reads = 0;
  // Stands in for the store: what is looked up there is found.
  const hosts = hostsOfStore(async () => {
    reads += 1;
    return 'SHA256:stored' as never;
  });
  expect(await hosts.find(address)).toBe('SHA256:stored');
  expect(await hosts.find(address)).toBe('SHA256:stored');
  expect(await hosts.trust(address, 'SHA256:other')).toBe('SHA256:stored');
  expect(reads).toBe(1);
});

test('a host that the store does not know is trusted as it shows itself', async () => {
  const hosts = hostsOfStore(async (_, otherwise) => otherwise);
  expect(await hosts.find(address)).toBeNull();
  expect(await hosts.trust(address, 'SHA256:shown')).toBe('SHA256:shown');
  expect(await hosts.find(address)).toBe('SHA256:shown');
});
