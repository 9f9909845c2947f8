import { expect, it } from 'vitest';
import { gameServer } from '../../../src/page/preview/game-server.ts';
import { server } from '../../embeds/contract-data.ts';

const url = 'https://play.example.org/servers/northwood-1';

it('describes a server to search engines in the words of schema.org', () => {
  expect(gameServer(server(), url)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'GameServer',
    name: 'Northwood | Chernarus',
    url,
    serverStatus: 'https://schema.org/Online',
    playersOnline: 37,
  });
});

it.each([
  [{ players: 60 }, 'https://schema.org/OnlineFull', 60],
  [{ players: 60, maxPlayers: null }, 'https://schema.org/Online', 60],
  [{ status: 'OFFLINE', players: null }, 'https://schema.org/OfflineTemporarily', undefined],
  [{ status: 'UNKNOWN', players: null }, undefined, undefined],
] as const)('%#: says no more than is known', (over, serverStatus, playersOnline) => {
  const said = gameServer(server(over), url) as Record<string, unknown>;
  expect(said['serverStatus']).toBe(serverStatus);
  expect(said['playersOnline']).toBe(playersOnline);
});
