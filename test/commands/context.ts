import type { Asker, CommandContext } from '../../src/commands/command.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from '../embeds/contract-data.ts';
import { contractClient } from './contract-client.ts';

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

/** What a command is told when a member types it. */
export function context(over: Partial<CommandContext> = {}): CommandContext {
  const asking = over.asker ?? asker();
  return {
    client: contractClient(),
    options: {},
    language: languageOf('en-US'),
    now: data.now,
    asker: asking,
    ownerId: asking.userId,
    visibility: 'public',
    mayShare: false,
    pressed: false,
    ports: {},
    ...over,
  };
}
