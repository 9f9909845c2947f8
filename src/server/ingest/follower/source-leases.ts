import { dirname } from 'node:path';
import type { FileAccess } from 'game-files';
import { messagesFilesOf, type Sources } from './sources.ts';
import type { HeldLease, Leases } from '../../../process/leases.ts';

/** The leases under which files are followed: `follow:<server>`, and `bans:<list>` for ban files. */

type Server = Sources['servers'][number];
type BanList = Sources['banlists'][number];

const leaseOfServer = ({ id }: Server): string => `follow:${id}`;
const leaseOfList = ({ id }: BanList): string => `bans:${id}`;

/** The sources that a lease is about. */
export function sourcesOfLease({ servers, banlists, places }: Sources, lease: string): Sources {
  const own = servers.filter((server) => leaseOfServer(server) === lease);
  const lists = banlists.filter((list) => leaseOfList(list) === lease);
  const hosts = new Set([
    ...own.map(({ id }) => id),
    ...lists.flatMap((list) => list.sources.flatMap(({ filesOf }) => filesOf ?? [])),
  ]);
  const kept = [...(places ?? [])].filter(([id]) => hosts.has(id));
  return { servers: own, banlists: lists, places: new Map(kept) };
}

/** The folders on this machine of each lease that has some. Such a lease belongs where one of them exists. */
export function localFolders({ servers, banlists, places }: Sources): Map<string, string[]> {
  const isRemote = (id: string | undefined): boolean => id !== undefined && places?.has(id) === true;
  const folders = new Map<string, string[]>();
  for (const server of servers) {
    if (isRemote(server.id)) continue;
    const { logs, playersDb } = server;
    const files = [...(playersDb === undefined ? [] : [playersDb]), ...messagesFilesOf(server)];
    const own = [...(logs === undefined ? [] : [logs]), ...files.map((file) => dirname(file))];
    if (own.length > 0) folders.set(leaseOfServer(server), own);
  }
  for (const list of banlists) {
    const own = list.sources.flatMap(({ file, filesOf }) => (isRemote(filesOf) ? [] : dirname(file)));
    if (own.length > 0) folders.set(leaseOfList(list), own);
  }
  return folders;
}

/** Those leases of which a folder exists on this machine. @param filesOf the files of each folder */
export async function presentHere(
  folders: ReadonlyMap<string, readonly string[]>,
  filesOf: (folder: string) => FileAccess,
): Promise<string[]> {
  const exists = async (folder: string): Promise<boolean> =>
    await filesOf(folder)
      .list(folder, { matching: /(?!)/, stat: [] })
      .then(
        () => true,
        () => false,
      );
  const found = await Promise.all(
    Array.from(folders, async ([lease, own]) =>
      (await Promise.all(own.map(exists))).includes(true) ? [lease] : [],
    ),
  );
  return found.flat();
}

function leasesOfSources(sources: Sources): string[] {
  const local = localFolders(sources);
  const servers = sources.servers.filter(
    (server) => local.has(leaseOfServer(server)) || sources.places?.has(server.id) === true,
  );
  return [...servers.map(leaseOfServer), ...sources.banlists.map(leaseOfList)];
}

export type SourceClaims = ReturnType<typeof claimSources>;

/**
 * Which sources this process wants to follow. Those on this machine are a claim of their own: they are shared by the
 * processes that see the same folders.
 * @param onChange a lease that is released is free once the result is settled
 */
export function claimSources(leases: Leases, onChange: () => Promise<void>) {
  const remote = leases.claim({ onChange });
  const onThisMachine = leases.claim({ onChange });
  return {
    /** @param present those of the leases with folders on some machine that this one has */
    want(sources: Sources, present: readonly string[]): void {
      const local = localFolders(sources);
      const names = leasesOfSources(sources);
      remote.want(names.filter((name) => !local.has(name)));
      onThisMachine.want(names.filter((name) => local.has(name) && present.includes(name)));
    },
    held: (): HeldLease[] =>
      [...remote.held(), ...onThisMachine.held()].map(([name, epoch]) => ({ name, epoch })),
    async close(): Promise<void> {
      await Promise.all([remote.close(), onThisMachine.close()]);
    },
  };
}
