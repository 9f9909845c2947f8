import type { Server } from '../../api/resources.ts';
import { plainName } from '../plain-name.ts';

const statusOf = ({ status, players, maxPlayers }: Server): string | null => {
  if (status === 'UNKNOWN') return null;
  if (status === 'OFFLINE') return 'OfflineTemporarily';
  return players !== null && maxPlayers !== null && players >= maxPlayers ? 'OnlineFull' : 'Online';
};

/** A server as https://schema.org/GameServer, for search engines. @param url of its page, absolute */
export function gameServer(server: Server, url: string): object {
  const status = statusOf(server);
  return {
    '@context': 'https://schema.org',
    '@type': 'GameServer',
    name: plainName(server),
    url,
    ...(status !== null && { serverStatus: `https://schema.org/${status}` }),
    ...(server.players !== null && { playersOnline: server.players }),
  };
}
