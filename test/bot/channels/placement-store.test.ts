import { Keyv } from 'keyv';
import { expect, it } from 'vitest';
import { PlacementStore } from '../../../src/bot/channels/placement-store.ts';

it('names a renamed server by its new id, once, wherever a member placed something of it', async () => {
  const store = new PlacementStore(new Keyv());
  const place = async (...servers: string[]) =>
    await store.add({ guildId: '1', channelId: '2', content: { kind: 'recap', servers } });
  await place('old', 'other');
  await place('new', 'old');
  await place('other');
  const servers = async () =>
    (await store.list()).map(({ content }) => ('servers' in content ? content.servers : []));
  expect(await store.renameServer('old', 'new')).toBe(2);
  expect(await servers()).toEqual([['new', 'other'], ['new'], ['other']]);
  expect(await store.renameServer('old', 'new')).toBe(0);
});
