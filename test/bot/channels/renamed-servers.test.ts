import { expect, it } from 'vitest';
import { withRenamedServer, type StoredPlacement } from '../../../src/bot/channels/job-entries.ts';
import { contentOf } from '../../../src/config/schema/channel-jobs.ts';

it('names a renamed server by its new id, once, wherever a member placed something of it', () => {
  const about = (...servers: string[]): StoredPlacement => {
    return { id: '1', guildId: '1', channelId: '2', content: contentOf('recap', { servers }) };
  };
  const placements = [about('old', 'other'), about('new', 'old'), about('other')];
  const renamed = withRenamedServer(placements, 'old', 'new');
  expect(renamed).toEqual([about('new', 'other'), about('new'), about('other')]);
  expect(withRenamedServer(renamed, 'old', 'new')).toBe(renamed);
});
