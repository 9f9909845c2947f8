import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { PlacementStore } from '../../../src/bot/channels/placement-store.ts';
import { GuildPlacements } from '../../../src/bot/channels/placements.ts';

type Options = ConstructorParameters<typeof GuildPlacements>[0];

test('removed recaps are kept for a while, not without end', async () => {
  const running = new Set<string>();
  const store = new PlacementStore(new Keyv());
  const placements = new GuildPlacements({
    store,
    posts: { update: async () => ({ state: 'ok' }), list: () => [] },
    recaps: {
      start: ({ key }: { key: string }) => void running.add(key),
      remove: async (key: string) => void running.delete(key),
      status: () => null,
    },
    isHome: () => true,
    projectOf: () => undefined,
  } as unknown as Options);
  const content = { kind: 'recap' as const, servers: ['a'] };
  const place = async (guildId: string) =>
    await placements.place({ guildId, channelId: '1', locale: 'en-US', content });
  await place('other');
  for (let times = 0; times < 30; times += 1) {
    const outcome = await place('guild');
    const id = 'placed' in outcome ? outcome.placed.id : null;
    expect(await placements.remove('guild', id ?? '')).not.toBeNull();
  }
  const kept = await store.list();
  expect(kept.map(({ guildId }) => guildId)).toEqual(['other', ...Array<string>(25).fill('guild')]);
  expect([...running].toSorted()).toEqual(kept.map(({ id }) => `placed:${id}`).toSorted());
});
