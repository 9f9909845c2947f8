import type { Config } from '../../config/schema.ts';
import type { Finding } from './finding.ts';

/** With a shorter delay, positions show where players are. */
const harmlessDelaySeconds = 300;

/** Whether each kill feed has logs to read, and keeps where players are to itself. */
export function checkKillFeeds({ discord, projects }: Pick<Config, 'discord' | 'projects'>): Finding[] {
  return (discord?.killFeeds ?? []).flatMap((feed, place, feeds) => {
    const earlier = feeds.slice(0, place);
    // All servers of a feed are of one project.
    const project = projects.find(({ servers }) => servers.some(({ id }) => id === feed.servers[0]));
    const projectServers = project?.servers ?? [];
    const about = { key: `discord.killFeeds[${place}]`, tried: `kill feed in channel ${feed.channelId}` };
    const withoutLogs = feed.servers.filter(
      (id) => projectServers.find((server) => server.id === id)?.logs === undefined,
    );
    const findings: Finding[] = withoutLogs.map((id) => ({
      ...about,
      status: 'warning',
      found: `server ${id} has no logs, so no kill of it is known`,
      next: `set logs of ${id}, or take it out of the feed`,
    }));
    const twice = earlier.filter(({ channelId }) => channelId === feed.channelId);
    for (const id of feed.servers.filter((one) => twice.some(({ servers }) => servers.includes(one)))) {
      findings.push({
        ...about,
        status: 'warning',
        found: `another feed of this channel posts the kills of ${id}, too`,
        next: `take ${id} out of one of them`,
      });
    }
    if (feed.positions && project?.killPositions !== true) {
      findings.push({
        ...about,
        status: 'warning',
        found: 'is to show positions, but the project does not store them',
        next: 'set killPositions of the project to true, or positions to false',
      });
    } else if (feed.positions && feed.delaySeconds < harmlessDelaySeconds) {
      findings.push({
        ...about,
        status: 'warning',
        found: `shows positions after ${feed.delaySeconds} seconds, so members see where players are`,
        next: `set delaySeconds to ${harmlessDelaySeconds} or more, or positions to false`,
      });
    }
    return findings;
  });
}

/** A service has no deaths for bots elsewhere. */
export const remoteKillFeeds: Finding = {
  key: 'discord.killFeeds',
  tried: 'kill feeds',
  status: 'warning',
  found: 'the bot reads a service elsewhere, which has no kills for it',
  next: 'set the kill feeds up with the bot of that service',
};
