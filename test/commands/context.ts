import type { Asker, CommandContext } from '../../src/commands/command.ts';
import type { Channels, Community, Pictures } from '../../src/commands/interfaces/community.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from '../embeds/contract-data.ts';
import { contractClient } from './contract-client.ts';
import { noChannels, noPictures, testCommunity } from './test-community.ts';

/** A member without special permissions. */
export function asker(over: Partial<Asker> = {}): Asker {
  return {
    userId: '1100000000000000301',
    guildId: '1100000000000000100',
    channelId: '1100000000000000200',
    isThread: false,
    permissions: 0n,
    botPermissions: 0n,
    ...over,
  };
}

type Parts = 'community' | 'channels' | 'pictures';

/** A context whose parts may be given in part. */
export type PartialContext = Partial<Omit<CommandContext, Parts>> & {
  community?: Partial<Community>;
  channels?: Partial<Channels>;
  pictures?: Partial<Pictures>;
};

/** What a command is told when a member types it. */
export function context({ community, channels, pictures, ...over }: PartialContext = {}): CommandContext {
  const asking = over.asker ?? asker();
  const client = over.client ?? contractClient();
  return {
    options: {},
    language: languageOf('en-US'),
    now: data.now,
    asker: asking,
    ownerId: asking.userId,
    visibility: 'public',
    mayShare: false,
    pressed: false,
    ...over,
    client,
    community: testCommunity(client, community),
    channels: { ...noChannels, ...channels },
    pictures: { ...noPictures, ...pictures },
  };
}
