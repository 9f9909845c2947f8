import { expect, test } from 'vitest';
import {
  findTrustedHost,
  knownHostsInStore,
} from '../../../../../src/server/store/repositories/projects/trusted-hosts.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

test('of two keys that one unknown host shows at once, only the first is trusted', async () => {
  const address = 'sftp://host.example:22';
  const db = await temporaryStore();
  const hosts = knownHostsInStore(db);
  expect(await hosts.find(address)).toBe(null);
  // Both saw that the host is unknown.
  expect(await hosts.trust(address, 'SHA256:first')).toBe('SHA256:first');
  expect(await hosts.trust(address, 'SHA256:second')).toBe('SHA256:first');
  expect(await findTrustedHost(db, address)).toBe('SHA256:first');
});
