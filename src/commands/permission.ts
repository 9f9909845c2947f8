import { InteractionContextType, PermissionsBitField } from 'discord.js';
import { failureEmbed } from '../embeds/failure.ts';
import type { Language } from '../locales/language.ts';
import type { Command, Reply } from './command.ts';
import { privateReply } from './replies.ts';

/** Who asks, and where. */
export interface Asker {
  inGuild: boolean;
  /** The member's permissions in the channel, as the interaction states them; null in private messages. */
  permissions: bigint | null;
}

/**
 * Whether a command may be answered. Discord hides commands by these rules already, but owners can change what it hides,
 * and an old client may send what it should not. Null: yes; otherwise the answer that says why not.
 */
export function refusalFor(command: Command, asker: Asker, language: Language): Reply | null {
  const { contexts, default_member_permissions: required } = command.definition;
  const guildOnly = contexts?.every((context) => context === InteractionContextType.Guild) ?? false;
  if (guildOnly && !asker.inGuild) {
    return privateReply(failureEmbed(language, 'deniedTitle', [language.t('failure.guildOnly')]));
  }
  if (required === null || required === undefined) return null;
  const held = new PermissionsBitField(asker.permissions ?? 0n);
  if (held.has(BigInt(required))) return null;
  return privateReply(failureEmbed(language, 'deniedTitle', [language.t('failure.missingPermission')]));
}
