import { type AlertKind, alertsIn } from './alert-cycles.ts';
import { type Community, guilds } from './community.ts';

/** The victims that the messages of a kill feed name, in their order. */
export function victimsIn({ discord }: Pick<Community, 'discord'>, channelId: string): string[] {
  return discord
    .messages(channelId)
    .flatMap(({ embeds }) => [...(embeds[0]?.description ?? '').matchAll(/killed \*\*(v\d+)\*\*/g)])
    .map(([, name = '']) => name);
}

/** Compares what stands in the channels with what must stand there; each difference is a line. @param alerts of each kind */
export function wrongPosts(community: Community, alerts: number): string[] {
  const wrong: string[] = [];
  const { died } = community.killLog;
  for (const guild of guilds) {
    const posted = victimsIn(community, guild.kills);
    const counts = new Map<string, number>();
    for (const name of posted) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const name of died) if (!counts.has(name)) wrong.push(`guild ${guild.id}: ${name} is not posted`);
    for (const [name, count] of counts)
      if (count > 1) wrong.push(`guild ${guild.id}: ${name} is posted ${count} times`);
    if (wrong.length === 0 && String(posted) !== String(died))
      wrong.push(`guild ${guild.id}: the kills are not in order`);
    for (const kind of ['players', 'down', 'up'] satisfies AlertKind[]) {
      const found = alertsIn(community, guild.alerts, kind);
      if (found !== alerts) wrong.push(`guild ${guild.id}: ${found} alerts of ${kind}, expected ${alerts}`);
    }
    const posts = community.discord.messages(guild.status).length;
    if (posts !== 1) wrong.push(`guild ${guild.id}: ${posts} status posts, expected 1`);
  }
  return wrong;
}
