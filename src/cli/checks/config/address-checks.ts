import type { Config } from '../../../config/schema.ts';
import { gameOf, usualGame } from '../../../server/games/index.ts';
import { isPrivateHost } from '../../../server/live/private-host.ts';
import { hostAndPort } from '../../../server/store/repositories/projects/places.ts';
import { about, type Finding } from '../finding.ts';

/** Servers of a project that are queried at one address: usually a copied section whose port was not changed. */
export function checkAddresses({ projects }: Pick<Config, 'projects'>): Finding[] {
  return projects.flatMap(({ servers }) => {
    const first = new Map<string, string>();
    return servers
      .filter(({ active }) => active)
      .flatMap(({ id, game, host, port, queryPort }): Finding[] => {
        const address = hostAndPort({ host: host.toLowerCase(), port: queryPort ?? port });
        const other = first.get(address);
        if (other === undefined) {
          first.set(address, id);
          return [];
        }
        const { name, words } = gameOf(game) ?? usualGame;
        return [
          about(queryPort === undefined ? `${id}.port` : `${id}.queryPort`, address).warning(
            `is also the address of ${other}: both show the status of one game server`,
            `give each server its own port and queryPort, for ${name} ${words.queryPort} in its ${words.configFile}`,
          ),
        ];
      });
  });
}

/** Servers whose buttons lead players to an address that only this machine or its network reaches. */
export function checkJoinAddresses({ http, projects }: Pick<Config, 'http' | 'projects'>): Finding[] {
  if (http.publicUrl === undefined) return [];
  if (isPrivateHost(new URL(http.publicUrl).hostname.replace(/^\[|\]$/g, ''))) return [];
  return projects.flatMap(({ servers }) =>
    servers
      .filter(({ active, host, joinAddress }) => active && joinAddress === undefined && isPrivateHost(host))
      .map(({ id, host, port, queryPort = port }) =>
        about(`${id}.joinAddress`, hostAndPort({ host, port: queryPort })).warning(
          'the buttons to join lead there, and players elsewhere cannot reach it',
          `set joinAddress to what players type, such as 203.0.113.7:${port}`,
        ),
      ),
  );
}

/** A public page at an address that has a path: links on it begin at the root. */
export function checkPageAddress({ http: { page, publicUrl } }: Pick<Config, 'http'>): Finding[] {
  if (page === undefined || publicUrl === undefined || new URL(publicUrl).pathname === '/') return [];
  return [
    about('http.publicUrl', publicUrl).wrong(
      'the public page cannot be in a folder of another site: its links would lead out of it',
      'give the page a name of its own, such as https://play.example.org',
    ),
  ];
}
