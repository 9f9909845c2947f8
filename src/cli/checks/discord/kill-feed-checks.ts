import type { Config } from '../../../config/schema.ts';
import { about, type Finding } from '../finding.ts';
import { count } from '../../output.ts';

/** With a shorter delay, positions show where players are. */
const harmlessDelaySeconds = 300;

/** Those of the servers that have no logs. */
export function withoutLogs(projects: Config['projects'], ids: readonly string[]): string[] {
  const servers = projects.flatMap((project) => project.servers);
  return ids.filter((id) => servers.find((server) => server.id === id)?.logs === undefined);
}

/** Whether each kill feed has logs to read, and keeps where players are to itself. */
export function checkKillFeeds({ discord, projects }: Pick<Config, 'discord' | 'projects'>): Finding[] {
  return (discord?.killFeeds ?? []).flatMap((feed, place, feeds) => {
    const { servers, channelId, positions, delaySeconds } = feed;
    // All servers of a feed are of one project.
    const project = projects.find((one) => one.servers.some(({ id }) => id === servers[0]));
    const earlier = feeds.slice(0, place).filter((one) => one.channelId === channelId);
    const isTwice = (id: string): boolean => earlier.some((one) => one.servers.includes(id));
    const { warning } = about(`discord.killFeeds[${place}]`, `kill feed in channel ${channelId}`);
    const findings = [
      ...withoutLogs(projects, servers).map((id) =>
        warning(
          `server ${id} has no logs, so no kill of it is known`,
          `set logs of ${id}, or take it out of the feed`,
        ),
      ),
      ...servers
        .filter(isTwice)
        .map((id) =>
          warning(
            `another feed of this channel posts the kills of ${id}, too`,
            `take ${id} out of one of them`,
          ),
        ),
    ];
    if (positions && project?.killPositions !== true) {
      findings.push(
        warning(
          'is to show positions, but the project does not store them',
          'set killPositions of the project to true, or positions to false',
        ),
      );
    } else if (positions && delaySeconds < harmlessDelaySeconds) {
      findings.push(
        warning(
          `shows positions after ${count(delaySeconds, 'second')}, so members see where players are`,
          `set delaySeconds to ${harmlessDelaySeconds} or more, or positions to false`,
        ),
      );
    }
    return findings;
  });
}
