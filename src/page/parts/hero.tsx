import type { VNode } from 'preact';
import { shortNames } from '../../embeds/chart/series.ts';
import { areAllUnknown, onlineOf } from '../../embeds/status.ts';
import type { ShownServer } from '../project.ts';
import { imageAddress, nameOr, type ProjectView } from '../view.ts';
import { Name } from './elements.tsx';
import { DiscordButton } from './layout.tsx';
import { Band, Mark } from './mark.tsx';

interface HeroProps {
  view: ProjectView;
  servers: readonly ShownServer[];
}

/** The head of a project's first page: who it is, how many are playing, and how to join them. */
export function Hero({ view, servers }: HeroProps): VNode {
  const { project, language } = view;
  const states = servers.map(({ server }) => server);
  const { count } = onlineOf(states);
  const banner = imageAddress(view, 'banner');
  return (
    <div class="hero">
      {banner === null ? (
        <Band colour={project.accentColor} kind="banner" />
      ) : (
        <img class="banner" src={banner} alt="" />
      )}
      <div class="intro">
        <Mark view={view} />
        <h1>{project.title}</h1>
        {project.description !== null && <p class="about">{project.description}</p>}
        {!areAllUnknown(states) && (
          <p class="sum">
            <strong>{language.number(count)}</strong> {language.t('site.online', { count })}
          </p>
        )}
        <p class="actions">
          <JoinFullest view={view} servers={servers} />
          <DiscordButton view={view} />
        </p>
      </div>
    </div>
  );
}

/** Joins the server with most players that has a slot free. A single server needs no name. */
function JoinFullest({ view, servers }: HeroProps): VNode | null {
  const names = shortNames(servers.map(({ server }) => nameOr(server.name, server.id)));
  const [best] = servers
    .map(({ server, joinPath }, index) => ({ ...server, joinPath, name: names[index] ?? null }))
    .filter(({ status, joinPath }) => status === 'ONLINE' && joinPath !== null)
    .filter(({ players, maxPlayers }) => (players ?? 0) < (maxPlayers ?? Infinity))
    .toSorted((one, other) => (other.players ?? 0) - (one.players ?? 0));
  if (best?.joinPath == null) return null;
  return (
    <a class="button" href={best.joinPath} rel="nofollow">
      {view.language.t('button.join')}
      {servers.length > 1 && [' · ', <Name text={best.name} otherwise={best.id} />]}
    </a>
  );
}
