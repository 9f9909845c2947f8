import { PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import type { DiscordConfig } from '../config/schema/discord.ts';
import type { Language } from '../locales/language.ts';
import type { Asker, Command, CommandContext, CommandOptions, Reply } from './command.ts';
import { failureReply, unavailableReply } from './replies.ts';

const has = (asker: Asker, permission: bigint): boolean =>
  new PermissionsBitField(asker.permissions).has(permission);

/** Checks whether a member may use a command, and the bot has what it needs; null: yes, otherwise the refusal. */
export function refusalFor(
  command: Command,
  { asker, language, community }: Pick<CommandContext, 'asker' | 'language' | 'community'>,
  options: CommandOptions = {},
): Reply | null {
  if (!isPermitted(command, asker, options)) return notPermitted(command, language);
  const unavailable = community.hasStore ? null : (command.needsStore?.(options) ?? null);
  return unavailable === null ? null : unavailableReply(language, unavailable);
}

/**
 * Discord applies the same rules, but guilds can override them, and a button outlives the permission of the member who ran the
 * command.
 */
function isPermitted({ definition, alsoFor }: Command, asker: Asker, options: CommandOptions): boolean {
  const { default_member_permissions: required } = definition;
  if (required === undefined || has(asker, BigInt(required))) return true;
  const other = alsoFor?.(options) ?? null;
  return other !== null && has(asker, other);
}

function notPermitted({ definition }: Command, language: Language): Reply {
  const required = BigInt(definition.default_member_permissions ?? 0);
  const text = required === PermissionFlagsBits.ManageGuild ? 'missingManage' : 'missingPermission';
  return failureReply(language, 'deniedTitle', language.t(`failure.${text}`));
}

/** Members who may ban also see active bans in `/lookup`. */
export const mayBan = (asker: Asker): boolean => has(asker, PermissionFlagsBits.BanMembers);

/** Members who manage the guild see newer heat maps. */
export const mayManage = (asker: Asker): boolean => has(asker, PermissionFlagsBits.ManageGuild);

/** Whether a member may share a private answer. It requires the permission to send messages in the channel. */
export function mayShare(asker: Asker, sharing: DiscordConfig['sharing']): boolean {
  const { SendMessages, SendMessagesInThreads, ManageMessages, BanMembers } = PermissionFlagsBits;
  if (sharing === 'nobody') return false;
  if (!has(asker, asker.isThread ? SendMessagesInThreads : SendMessages)) return false;
  return sharing === 'everyone' || has(asker, ManageMessages) || has(asker, BanMembers);
}
