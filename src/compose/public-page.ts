import type { Scope } from '../api/access.ts';
import { identifierOf } from '../api/identifiers.ts';
import type { Client } from '../api/client-types.ts';
import { serverOf } from '../config/config-index.ts';
import { createBoards } from '../community/boards.ts';
import { createPlayerHistory } from '../community/player-history.ts';
import { createServers } from '../community/servers.ts';
import { createStoredPlayers, refOfId } from '../community/stored-players.ts';
import type { Config } from '../config/schema.ts';
import type { PageProject } from '../page/project.ts';
import { perKey } from '../process/per-key.ts';
import type { PublicParts } from '../server/http/public/public-parts.ts';
import { openSecret } from '../server/store/engine/small-values.ts';
import { logFailure } from '../server/store/engine/store-health.ts';
import type { Core } from './core.ts';
import { createEmbeddedClient } from './embedded-client.ts';
import type { Queries } from './queries.ts';

/** Without the scopes for bans, so that no mistake of the page can show one. */
const scopes: readonly Scope[] = ['servers:read', 'schedules:read', 'leaderboards:read'];

/** To count a long season takes 0.3 s. Once somebody is hidden or forgotten, `remember` counts again at once. */
const boardKeptMs = 60_000;

/** The public page, if the config has `http.page`. @param url the address of the service, which is known once it listens */
export async function createPublicPage(
  core: Core,
  queries: Queries,
  url: () => string,
): Promise<PublicParts | undefined> {
  const { data, log, clock, config } = core;
  const settings = config().http.page;
  if (settings === undefined) return undefined;
  // Loaded on demand: most services have no page.
  const { createPage, hasPath } = await import('../page/page.ts');
  const pageProjectOf = perKey((slug) => createPageProject(core, queries, url, slug));
  const warned = new Set<string>();
  const warnOfPath = (slug: string): void => {
    if (warned.has(slug)) return;
    warned.add(slug);
    log.warn(`the project ${slug} has no public page: the service has that path itself`);
  };
  return createPage({
    indexed: settings.indexed,
    publicUrl: config().http.publicUrl,
    players: settings.players,
    boards: settings.boards,
    projects: () => slugsWithPage(config(), settings.projects, hasPath, warnOfPath).map(pageProjectOf),
    slugOfServer: (serverId) => serverOf(config(), serverId)?.project.slug,
    // In the store, so that old links to players work after a restart.
    secret: await openSecret(data.small, 'player-key'),
    history: createPlayerHistory(data.reader.db, config),
    onError: (error) => logFailure(log, error, 'a part of the public page failed'),
    onNoImage(error, url) {
      log.warn({ err: error, url }, 'the public page is without a picture: it could not be loaded');
    },
    ...clock,
  });
}

/** The shown projects. Several have their slugs as first parts of paths: one whose path is the service's own is left out. */
function slugsWithPage(
  { projects }: Config,
  wanted: readonly string[] | undefined,
  hasPath: (slug: string) => boolean,
  onNoPath: (slug: string) => void,
): string[] {
  const slugs = projects.filter(({ suspended }) => !suspended).map(({ slug }) => slug);
  const shown = slugs.filter((slug) => wanted?.includes(slug) !== false);
  if (shown.length === 1) return shown;
  for (const slug of shown) if (!hasPath(slug)) onNoPath(slug);
  return shown.filter(hasPath);
}

function createPageProject(core: Core, { results }: Queries, url: () => string, slug: string): PageProject {
  const { data, unlisted, clock, config } = core;
  const stored = core.storedProject(slug);
  const servers = createServers(stored, results, unlisted);
  const players = createStoredPlayers(stored);
  let client: Client | undefined;
  return {
    slug,
    /** Made when a page of the project is first visited: a list of a thousand projects needs no clients. */
    get client() {
      const application = { name: 'Public page', scopes };
      client ??= createEmbeddedClient(data.writer.db, url(), slug, clock, application).as('background');
      return client;
    },
    branding() {
      const { name = slug, support = {} } = stored.project() ?? {};
      return { name, support };
    },
    canJoin: (serverId) => servers.joinUrl(serverId) !== null,
    joinAddress: servers.joinAddress,
    schedules: servers.schedules,
    async player(reference) {
      const identifier = identifierOf(reference);
      const namesakes = identifier === null ? await players.named(reference.name ?? '') : [];
      // A name of several players says nothing of which one is meant.
      const who = identifier ?? (namesakes.length === 1 ? namesakes[0] : undefined);
      const details = who === undefined ? null : await players.details(who);
      const player = details && (await players.get(refOfId(details.playerId)));
      return player && { ...details, player };
    },
    boards: createBoards(stored),
    remember: (key, read) => stored.remember(['page', key], boardKeptMs, read),
    zone(serverId) {
      const [first] = stored.project()?.servers ?? [];
      const server = serverId === undefined ? first : serverOf(config(), serverId)?.server;
      return server?.timezone ?? 'UTC';
    },
  };
}
