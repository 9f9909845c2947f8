import type { ComponentChild, ComponentChildren, VNode } from 'preact';
import type { Server } from '../../api/resources.ts';
import { mapName } from '../../embeds/maps.ts';
import { nextRestart } from '../../embeds/schedule-times.ts';
import { playersWord, shareOf, stateReason } from '../../embeds/server-state.ts';
import { oldCheck } from '../../embeds/status.ts';
import { plain } from '../../embeds/text.ts';
import type { ShownServer } from '../project.ts';
import { serverPath } from '../paths.ts';
import { href, type View } from '../view.ts';
import { Moment, Name, ShareBar } from './elements.tsx';

interface ServerCardProps {
  view: View;
  shown: ShownServer;
  /** Of the server's name. */
  heading: 'h1' | 'h3';
  /** Whether the name is a link to the server's page. */
  linked?: boolean;
  /** A further link beside the button that joins it. */
  link?: VNode;
  children?: ComponentChildren;
}

export function ServerCard(props: ServerCardProps): VNode {
  const { view, shown, heading: Heading, linked = false, link, children } = props;
  const { server, schedules, address, joinPath } = shown;
  const { t } = view.language;
  const restart = nextRestart(schedules, view.now);
  const oldCheckAt = oldCheck([server], view.now);
  const facts: [label: string, value: ComponentChild][] = [
    [t('status.map'), mapName(server.map, (text) => plain(text, 60))],
    [t('status.nextRestart'), restart === null ? null : <Moment view={view} at={restart} />],
    [t('status.address'), address === null ? null : <code>{address}</code>],
    [t('status.lastChecked'), oldCheckAt === null ? null : <Moment view={view} at={oldCheckAt} />],
  ];
  const knownFacts = facts.filter(([, value]) => value !== null);
  const name = <Name text={server.name} otherwise={server.id} />;
  return (
    <article class="card server" data-state={server.status}>
      <header>
        <Heading>{linked ? <a href={href(view, serverPath(server.id))}>{name}</a> : name}</Heading>
        <span class="state">{t(`state.${server.status}`)}</span>
      </header>
      {server.status === 'ONLINE' ? (
        <Players view={view} server={server} />
      ) : (
        server.checkedAt !== null && (
          <p class="reason dim">{stateReason(view.language, { server, schedules }, view.now)}</p>
        )
      )}
      {knownFacts.length > 0 && (
        <dl>
          {knownFacts.map(([label, value]) => (
            <div>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {children}
      {(joinPath ?? link) && (
        <p class="actions">
          {joinPath !== null && (
            <a class="button" href={joinPath} rel="noopener nofollow">
              {t('button.join')}
              <span class="hidden"> {name}</span>
            </a>
          )}
          {link}
        </p>
      )}
    </article>
  );
}

/** `37 / 60` with a bar. */
function Players({ view, server }: { view: View; server: Server }): VNode {
  const { number } = view.language;
  const { players, maxPlayers } = server;
  return (
    <div class="players">
      <p>
        <strong>{players === null ? '–' : number(players)}</strong>
        <span class="dim">
          {maxPlayers !== null && ` / ${number(maxPlayers)}`} {playersWord(view.language, server)}
        </span>
      </p>
      <ShareBar share={shareOf(server) ?? 0} />
    </div>
  );
}
