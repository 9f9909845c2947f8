import { InteractionContextType, PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import type { Banlist } from '../api/resources.ts';
import type { FailureTitle } from '../embeds/failure.ts';
import type { Language, TextKey } from '../locales/language.ts';
import type { Asker, Command, CommandContext, CommandOptions, Reply } from './command.ts';
import { failureReply } from './replies.ts';

/** Who may share a private answer. */
export type Sharing = 'nobody' | 'moderators' | 'everyone';

function has(asker: Asker, permission: bigint): boolean {
  return new PermissionsBitField(asker.permissions ?? 0n).has(permission);
}

/**
 * Checks whether a member may use a command; null: yes, otherwise the refusal. Discord applies the same rules, but guilds can
 * override them, and a button outlives the permission of the member who ran the command.
 */
export function refusalFor(
  command: Command,
  asker: Asker,
  language: Language,
  options: CommandOptions = {},
): Reply | null {
  const { contexts, default_member_permissions: required } = command.definition;
  const guildOnly = contexts?.every((context) => context === InteractionContextType.Guild) ?? false;
  if (guildOnly && asker.guildId === null) {
    return failureReply(language, 'deniedTitle', language.t('failure.guildOnly'));
  }
  if (required === undefined || has(asker, BigInt(required))) return null;
  const other = command.alsoFor?.(options) ?? null;
  if (other !== null && has(asker, other)) return null;
  const text = BigInt(required) === PermissionFlagsBits.ManageGuild ? 'missingManage' : 'missingPermission';
  return failureReply(language, 'deniedTitle', language.t(`failure.${text}`));
}

/** What the bot has for members of home guilds, and who asks for it; or why this member cannot have it. */
export function forHomeGuilds<Port extends object>(
  { language, asker }: Pick<CommandContext, 'language' | 'asker'>,
  port: Port | undefined,
  unavailable: TextKey,
): { port: Port; who: { guildId: string; userId: string } } | { refusal: Reply } {
  const refuse = (title: FailureTitle, text: TextKey) => ({
    refusal: failureReply(language, title, language.t(text)),
  });
  const { guildId, userId } = asker;
  if (guildId === null) return refuse('deniedTitle', 'failure.guildOnly');
  if (!asker.isHome) return refuse('deniedTitle', 'failure.notHome');
  return port === undefined ? refuse('unavailableTitle', unavailable) : { port, who: { guildId, userId } };
}

/** Members who may ban also see active bans in `/lookup`. */
export function mayBan(asker: Asker): boolean {
  return asker.guildId !== null && has(asker, PermissionFlagsBits.BanMembers);
}

/** Members who manage the guild see newer heat maps. */
export function mayManage(asker: Asker): boolean {
  return asker.guildId !== null && has(asker, PermissionFlagsBits.ManageGuild);
}

/** The lists that the asker may read. Internal lists are for home guilds only. */
export function readableLists(asker: Asker, lists: readonly Banlist[]): readonly Banlist[] {
  return asker.isHome ? lists : lists.filter(({ isPublic }) => isPublic);
}

/** Whether a member may share a private answer. It requires the permission to send messages in the channel. */
export function mayShare(asker: Asker, sharing: Sharing): boolean {
  const { SendMessages, SendMessagesInThreads, ManageMessages, BanMembers } = PermissionFlagsBits;
  if (asker.guildId === null || sharing === 'nobody') return false;
  if (!has(asker, asker.isThread ? SendMessagesInThreads : SendMessages)) return false;
  return sharing === 'everyone' || has(asker, ManageMessages) || has(asker, BanMembers);
}
