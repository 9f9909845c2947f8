import { realpath } from 'node:fs/promises';
import { hostAndPort } from 'game-files';
import type { Config, ServerConfig } from '../../config/schema.ts';
import { factsOf } from '../../server/games/table.ts';
import type { Reader } from '../../server/store/engine/database.ts';
import { refusedIds } from '../../server/store/repositories/projects/reconcile.ts';
import { about, type Finding, type Findings, inTwo } from './finding.ts';
import { isPrivateHost } from './private-host.ts';

/** What is odd about the public address, and about those that it shows. */
export function checkAddresses({ http: { page, publicUrl }, projects }: Config): Finding[] {
  if (publicUrl === undefined) return [];
  const url = new URL(publicUrl);
  const isPublic = !isPrivateHost(url.hostname.replace(/^\[|\]$/g, ''));
  const findings = isPublic ? projects.flatMap(({ servers }) => servers.flatMap(checkJoinAddress)) : [];
  if (page !== undefined && url.pathname !== '/')
    findings.push(
      // Links on the page begin at the root.
      about('http.publicUrl', url.href).wrong(
        'the public page cannot be in a folder of another site: its links would lead out of it',
        'give the page a name of its own, such as https://play.example.org',
      ),
    );
  return findings;
}

/** ` (steamQueryPort in serverDZ.cfg)`; empty: it is not known of the game. */
export function queryPortSetting(game: string): string {
  const words = factsOf(game)?.words;
  return words === undefined ? '' : ` (${words.queryPort} in ${words.configFile})`;
}

/** A server whose buttons lead players to an address that only this machine or its network reaches. */
function checkJoinAddress(server: ServerConfig): Findings {
  const { id, active, host, port, queryPort = port, joinAddress } = server;
  if (!active || joinAddress !== undefined || !isPrivateHost(host)) return [];
  return about(`${id}.joinAddress`, hostAndPort({ host, port: queryPort })).warning(
    'the buttons to join lead there, and players elsewhere cannot reach it',
    `set joinAddress to what players type, such as 203.0.113.7:${port}`,
  );
}

/** Servers of a project that have the same files under two paths, as by a symbolic link. The config compares paths as written. */
export async function checkSharedFiles({ projects }: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { servers } of projects) {
    const owners = new Map<string, string>();
    for (const server of servers.filter(({ active, files }) => active && files === undefined)) {
      const { id } = server;
      for (const key of ['logs', 'playersDb'] as const) {
        const path = server[key];
        if (path === undefined) continue;
        // A path that does not exist is reported by its own check.
        const place = `${key} ${await realpath(path).catch(() => path)}`;
        const other = owners.get(place);
        owners.set(place, id);
        if (other === undefined) continue;
        findings.push(
          about(`${id}.${key}`, path).wrong(
            `leads to the same files as that of the server "${other}", so that they count twice`,
            `correct the path. To take back what was counted: take the server out of the config, run "outpost server forget ${id}", and add it again`,
          ),
        );
      }
    }
  }
  return findings;
}

/** Ids for which the service would refuse to start. */
export async function checkStoredIds(config: Config, db: Reader): Promise<Finding[]> {
  const refused = await refusedIds(db, config);
  return refused.map(({ id, reason }) => about(id, 'the store').wrong(...inTwo(reason, 'choose another id')));
}
