import type { Config } from '../../../config/schema.ts';
import { gameOf, usualGame } from '../../../server/games/index.ts';
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
