import { configuredEntries, type JobEntry } from '../../bot/channels/configured-jobs.ts';
import { placementsKey, type StoredPlacement } from '../../bot/channels/placement-store.ts';
import type { DiscordConfig } from '../../config/schema.ts';
import { channelKinds, hasPicture, isForModerators, rolesOf } from '../../config/schema/channel-jobs.ts';
import type { ReadDatabase } from '../../server/store/engine/database.ts';
import { readBotValue } from '../../server/store/engine/small-values.ts';

/** A channel to which the bot posts, and what it needs there. */
export interface WantedChannel {
  /** The key in the config, `discord.statusPosts[0]`; or what a member placed, `placed status post`. */
  key: string;
  channelId: string;
  /** The servers that it is about; empty for a leaderboard. */
  servers: readonly string[];
  /** For pictures. */
  needsFiles: boolean;
  /** What is posted there is not for everybody. */
  isForModerators: boolean;
  /** Roles that are mentioned there. */
  roleIds: readonly string[];
  /** By a member, not by the config. */
  isPlaced: boolean;
}

/** The channels that the config names. @param hasPictures a bot on a remote service draws none */
export function configuredChannels(discord: DiscordConfig, hasPictures: boolean): WantedChannel[] {
  const counts = new Map<string, number>();
  return configuredEntries(discord).map((entry) => {
    const { list } = channelKinds[entry.content.kind];
    const index = counts.get(list) ?? 0;
    counts.set(list, index + 1);
    return { key: `discord.${list}[${index}]`, ...needsOf(entry, hasPictures), isPlaced: false };
  });
}

/** The channels in which members placed something. @param hasPictures as of `configuredChannels` */
export async function placedChannels(db: ReadDatabase['db'], hasPictures: boolean): Promise<WantedChannel[]> {
  const stored = (await readBotValue(db, placementsKey)) ?? [];
  return (stored as readonly StoredPlacement[]).map((entry) => ({
    key: `placed ${channelKinds[entry.content.kind].name}`,
    ...needsOf(entry, hasPictures),
    isPlaced: true,
  }));
}

function needsOf(
  { channelId, content }: JobEntry,
  hasPictures: boolean,
): Omit<WantedChannel, 'key' | 'isPlaced'> {
  const rules = content.kind === 'alerts' ? content : {};
  return {
    channelId,
    servers: 'servers' in content ? content.servers : [],
    needsFiles: hasPictures && hasPicture(content),
    isForModerators: isForModerators(rules),
    roleIds: rolesOf(rules),
  };
}
