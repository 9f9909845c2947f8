import {
  ButtonStyle,
  ComponentType,
  type APIActionRowComponent,
  type APIButtonComponentWithURL,
  type APIContainerComponent,
  type APITextDisplayComponent,
} from 'discord-api-types/v10';
import type { Server } from '../../api/resources.ts';
import { colours } from '../../embeds/branding.ts';
import { mapName } from '../../embeds/maps.ts';
import { nextRestart } from '../../embeds/schedule-times.ts';
import { nameOf } from '../../embeds/shared-texts.ts';
import { colourOfAll, marks, stateColours } from '../../embeds/status.ts';
import { countText, playersWord } from '../../embeds/server-state.ts';
import { escaped, facts, lines } from '../../embeds/text.ts';
import { relative, upcoming } from '../../embeds/timestamps.ts';
import { serverPath } from '../paths.ts';
import type { ShownServer } from '../project.ts';
import { absolute, type ProjectView, type View } from '../view.ts';

/*
 * Discord shows this in place of the usual preview of a link:
 * https://docs.discord.com/developers/link-previews/component-embeds
 */

export interface ComponentEmbed {
  component: APIContainerComponent;
}

/** Discord's, in bytes of JSON, with escapes at their full length. */
export const embedBytes = 3_000;
const urlLength = 512;
const nameLength = 80;
/** Beyond, a preview is longer than the screen of a phone. */
const mostServers = 8;

const text = (content: string): APITextDisplayComponent => ({ type: ComponentType.TextDisplay, content });

function link(label: string, url: string | null, emoji?: string): APIButtonComponentWithURL[] {
  if (url === null || url.length > urlLength || !URL.canParse(url) || !/^https?:/.test(url)) return [];
  const button = { type: ComponentType.Button, style: ButtonStyle.Link, label, url } as const;
  return [emoji === undefined ? button : { ...button, emoji: { name: emoji } }];
}

const joinLink = ({ language, publicUrl }: View, { joinPath }: ShownServer, emoji?: string) =>
  link(language.t('button.join'), joinPath && `${publicUrl}${joinPath}`, emoji);

const pageLinks = (view: ProjectView, path: string) => [
  ...link(view.language.t('preview.open'), absolute(view, path)),
  ...link('Discord', view.project.discordUrl),
];

function row(buttons: APIButtonComponentWithURL[]): APIActionRowComponent<APIButtonComponentWithURL>[] {
  return buttons.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: buttons }];
}

/** `**37 / 60** players`, or the state in words. */
function stateOf({ language }: View, server: Server): string {
  const count = countText(language, server);
  if (count === null) return `**${language.t(`state.${server.status}`)}**`;
  return `**${count}** ${playersWord(language, server)}`;
}

/** Discord writes times in the zone of each reader, and keeps a preview for about a day: it says of when it is. */
function aboutOf({ language, now }: View, { server, schedules }: ShownServer): string {
  const restart = nextRestart(schedules, now);
  return facts(
    mapName(server.map),
    restart !== null && language.t('status.restart', { when: upcoming(restart, now) }),
    server.checkedAt && language.t('status.checked', { when: relative(server.checkedAt) }),
  );
}

/** One server: its state, players, next restart and a button to join. Null: it would not fit. */
export function serverEmbed(view: ProjectView, shown: ShownServer): ComponentEmbed | null {
  const { server } = shown;
  const about = aboutOf(view, shown);
  return fitting({
    type: ComponentType.Container,
    accent_color: stateColours[server.status],
    components: [
      text(`## ${marks[server.status]} ${nameOf(server, nameLength)}\n${stateOf(view, server)}`),
      ...(about === '' ? [] : [text(about)]),
      ...row([...joinLink(view, shown, '🎮'), ...pageLinks(view, serverPath(server.id))]),
    ],
  });
}

/** All servers of a project, as many as fit. Null: not even one does. */
export function projectEmbed(view: ProjectView, servers: readonly ShownServer[]): ComponentEmbed | null {
  for (let count = Math.min(servers.length, mostServers); count >= 0; count -= 1) {
    const left = servers.length - count;
    const embed = fitting({
      type: ComponentType.Container,
      accent_color: servers.length === 0 ? colours.unknown : colourOfAll(servers.map(({ server }) => server)),
      components: [
        text(`## ${escaped(view.project.title, nameLength)}`),
        ...servers.slice(0, count).map((shown) => {
          const { server } = shown;
          const title = `${marks[server.status]} **${nameOf(server, nameLength)}**`;
          const content = text(lines(title, facts(stateOf(view, server), aboutOf(view, shown))));
          const [accessory] = joinLink(view, shown);
          return accessory === undefined
            ? content
            : { type: ComponentType.Section as const, components: [content], accessory };
        }),
        ...(left > 0 ? [text(view.language.t('more', { count: left }))] : []),
        ...row(pageLinks(view, '')),
      ],
    });
    if (embed !== null) return embed;
  }
  return null;
}

function fitting(component: APIContainerComponent): ComponentEmbed | null {
  const embed = { component };
  return Buffer.byteLength(scriptJson(embed)) <= embedBytes ? embed : null;
}

/** JSON for a `<script>`, which nothing in it can end. */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
