import { PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import type { FailureTitle } from '../../embeds/failure.ts';
import { missingPermissionsEmbed, notPlacedEmbed, type NeededPermission } from '../../embeds/placements.ts';
import type { ComponentContext, CommandContext, Reply } from '../command.ts';
import type { NewPlacement, Placed, Placements } from '../interfaces/placements.ts';
import { failureReply, privateReply } from '../replies.ts';

/** The context of a command, or of the menu below its answer, which has a message and chosen values. */
export type PlacingContext = CommandContext & Partial<Pick<ComponentContext, 'messageId' | 'values'>>;

/** The channel of a placement, and what the bot may do there. */
export interface PlacementTarget {
  placements: Placements;
  guildId: string;
  channelId: string;
  /** The bot may not attach files there. */
  withoutFiles: boolean;
  /** The bot may mention all roles there. */
  mentionsAll: boolean;
}

/** The permissions that the bot lacks for a post. */
export function missingPermissions(granted: bigint, isThread: boolean): NeededPermission[] {
  const permissions = new PermissionsBitField(granted);
  const send = isThread ? 'SendMessagesInThreads' : 'SendMessages';
  const needed: readonly NeededPermission[] = ['ViewChannel', send, 'EmbedLinks'];
  return needed.filter((permission) => !permissions.has(PermissionFlagsBits[permission]));
}

/** The target for the current channel, or the refusal that explains why nothing can be placed there. */
export function placementTarget({
  channels,
  asker,
  language,
}: PlacingContext): PlacementTarget | { refusal: Reply } {
  const refuse = (title: FailureTitle, text: string) => ({ refusal: failureReply(language, title, text) });
  const placements = channels.placements();
  if (placements === null) return refuse('waitTitle', language.t('setup.starting'));
  const { guildId, channelId, isThread, botPermissions } = asker;
  const permissions = new PermissionsBitField(botPermissions);
  const missing = missingPermissions(botPermissions, isThread);
  if (missing.length > 0) return { refusal: privateReply(missingPermissionsEmbed(language, missing)) };
  return {
    placements,
    guildId,
    channelId,
    withoutFiles: !permissions.has(PermissionFlagsBits.AttachFiles),
    mentionsAll: permissions.has(PermissionFlagsBits.MentionEveryone),
  };
}

/** Creates a placement. The answer is `placedReply`, or says why it failed. */
export async function place(
  context: PlacingContext,
  { placements, guildId, channelId }: PlacementTarget,
  placement: Pick<NewPlacement, 'content' | 'locale'>,
  placedReply: (placed: Placed) => Reply,
): Promise<Reply> {
  const { language } = context;
  const refuse = (...sentences: string[]) => privateReply(notPlacedEmbed(language, sentences));
  // The message whose menu was used; a command has none.
  const askedOn = context.messageId;
  const outcome = await placements.place({ ...placement, askedOn, guildId, channelId }).catch(() => null);
  if (outcome === null) return refuse(language.t('setup.notSaved'));
  if ('placed' in outcome) return { ...placedReply(outcome.placed), components: [] };
  if ('failed' in outcome) return refuse(language.t(`post.failing.${outcome.failed}`));
  return refuse(language.t('setup.full', { count: outcome.full }), language.t('setup.placedNext'));
}

/** The URL of a post's message, or of the channel while there is no message. */
export function messageUrl(guildId: string, placed: Placed): string {
  const { status, channelId } = placed;
  const channel = `https://discord.com/channels/${guildId}/${channelId}`;
  return status?.state === 'shown' ? `${channel}/${status.messageId}` : channel;
}
