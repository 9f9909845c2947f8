import { InteractionContextType, PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import type { Banlist } from '../api/resources.ts';
import { failureEmbed } from '../embeds/failure.ts';
import type { Language } from '../locales/language.ts';
import type { Asker, Command, Reply } from './command.ts';
import { privateReply } from './replies.ts';

/** Who may turn a private answer public. */
export type Sharing = 'nobody' | 'moderators' | 'everyone';

function has(asker: Asker, permission: bigint): boolean {
  return new PermissionsBitField(asker.permissions ?? 0n).has(permission);
}

/**
 * Whether a command may be answered. Discord hides commands by these rules already, but owners can change what it hides,
 * an old client may send what it should not, and a button outlives the permission of who once asked. Null: yes;
 * otherwise the answer that says why not.
 */
export function refusalFor(command: Command, asker: Asker, language: Language): Reply | null {
  const { contexts, default_member_permissions: required } = command.definition;
  const guildOnly = contexts?.every((context) => context === InteractionContextType.Guild) ?? false;
  if (guildOnly && asker.guildId === null) {
    return privateReply(failureEmbed(language, 'deniedTitle', [language.t('failure.guildOnly')]));
  }
  if (required === null || required === undefined || has(asker, BigInt(required))) return null;
  const text = BigInt(required) === PermissionFlagsBits.ManageGuild ? 'missingManage' : 'missingPermission';
  return privateReply(failureEmbed(language, 'deniedTitle', [language.t(`failure.${text}`)]));
}

/** Members who may ban see active bans beside a player's figures. */
export function mayBan(asker: Asker): boolean {
  return asker.guildId !== null && has(asker, PermissionFlagsBits.BanMembers);
}

/** The lists that may be read where somebody asks: those that are not public in home guilds only. */
export function readableLists(asker: Asker, lists: readonly Banlist[]): readonly Banlist[] {
  return asker.isHome ? lists : lists.filter(({ isPublic }) => isPublic);
}

/** Nobody makes the bot say in a channel what they could not say there themselves. */
export function mayShare(asker: Asker, sharing: Sharing): boolean {
  const { SendMessages, SendMessagesInThreads, ManageMessages, BanMembers } = PermissionFlagsBits;
  if (asker.guildId === null || sharing === 'nobody') return false;
  if (!has(asker, asker.isThread ? SendMessagesInThreads : SendMessages)) return false;
  return sharing === 'everyone' || has(asker, ManageMessages) || has(asker, BanMembers);
}
