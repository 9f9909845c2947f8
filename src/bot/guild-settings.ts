export interface GuildConfig {
  id: string;
  /** Slug of the project that it shows; left out: that of the bot. */
  project?: string | undefined;
  locale?: string | undefined;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
}

/** What the config says of a guild; undefined: nothing. */
export function guildSettings(
  guilds: readonly GuildConfig[] | undefined,
  guildId: string,
): GuildConfig | undefined {
  return guilds?.find(({ id }) => id === guildId);
}
