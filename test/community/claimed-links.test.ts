import { Keyv } from 'keyv';
import { expect, it } from 'vitest';
import { createClaimedLinks } from '../../src/community/no-community.ts';

it('does not take a member for unlinked while the store cannot be read', async () => {
  const store = new Map();
  const keyv = new Keyv({ store });
  keyv.on('error', () => undefined);
  const links = createClaimedLinks(keyv);
  await links.claim('1', '76561198000000001');
  expect(await links.get('1')).toMatchObject({ identifier: '76561198000000001' });
  store.get = () => {
    throw new Error('the store is away');
  };
  await expect(links.get('1')).rejects.toThrow('the store is away');
});
