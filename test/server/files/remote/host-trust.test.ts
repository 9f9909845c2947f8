import { expect, test } from 'vitest';
import {
  checkHost,
  type HostTrust,
  knownAuthority,
  trustInMemory,
} from '../../../../src/server/files/remote/host-trust.ts';
import {
  findTrustedHost,
  trustInStore,
} from '../../../../src/server/store/repositories/projects/trusted-hosts.ts';
import { temporaryStore } from '../../ingest/fixture.ts';

const address = 'sftp://host.example:22';

test('of two keys that one unknown host shows at once, only the first is trusted', async () => {
  const db = await temporaryStore();
  for (const trust of [trustInMemory(), trustInStore(db, () => 0)]) {
    // Both see that the host is unknown, before either trusts it.
    const unknown: HostTrust = { ...trust, find: async () => null };
    await checkHost(unknown, address, 'SHA256:first');
    await expect(checkHost(unknown, address, 'SHA256:second')).rejects.toMatchObject({
      message: expect.stringContaining('SHA256:second, not SHA256:first'),
    });
    expect(await trust.find(address)).toBe('SHA256:first');
  }
  expect(await findTrustedHost(db, address)).toBe('SHA256:first');
});

test('a host whose certificate was that of a known authority may not show one of its own later', async () => {
  const trust = trustInMemory();
  await checkHost(trust, address, knownAuthority);
  await expect(checkHost(trust, address, 'SHA256:own')).rejects.toMatchObject({
    message: expect.stringContaining(`SHA256:own, not ${knownAuthority}`),
  });
});

test('a host that is known by a certificate of its own may get one of a known authority', async () => {
  const trust = trustInMemory();
  await checkHost(trust, address, 'SHA256:own');
  await checkHost(trust, address, knownAuthority);
  await checkHost(trust, address, 'SHA256:own');
});
