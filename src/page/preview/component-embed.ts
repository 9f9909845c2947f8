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

/** Discord shows it in place of the usual preview: https://docs.discord.com/developers/link-previews/component-embeds */
export interface ComponentEmbed {
  component: APIContainerComponent;
}

/** Discord's limit, in bytes of JSON as `scriptJson` writes it. */
export const embedBytes = 3_000;
/** Discord's limit on a button's address. */
const urlLength = 512;
const nameLength = 80;
/** With more, a preview is longer than the screen of a phone. */
const mostServers = 8;

const text = (content: string): APITextDisplayComponent => ({ type: ComponentType.TextDisplay, content });

/** A button, or none where the address is missing or Discord would refuse it. */
function linkButtons(label: string, url: string | null, emoji?: string): APIButtonComponentWithURL[] {
  if (url === null || url.length > urlLength || !URL.canParse(url) || !/^https?:/.test(url)) return [];
  const button = { type: ComponentType.Button, style: ButtonStyle.Link, label, url } as const;
  return [emoji === undefined ? button : { ...button, emoji: { name: emoji } }];
}

const joinButtons = ({ language, publicUrl }: View, { joinPath }: ShownServer, emoji?: string) =>
  linkButtons(language.t('button.join'), joinPath && `${publicUrl}${joinPath}`, emoji);

const pageButtons = (view: ProjectView, path: string) => [
  ...linkButtons(view.language.t('preview.open'), absolute(view, path)),
  ...linkButtons('Discord', view.project.discordUrl),
];

/** A row with these buttons; none without any, since Discord refuses an empty one. */
function buttonRows(
  buttons: APIButtonComponentWithURL[],
): APIActionRowComponent<APIButtonComponentWithURL>[] {
  return buttons.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: buttons }];
}

/** `**37 / 60** players`, or the state in words. */
function stateOf({ language }: View, server: Server): string {
  const count = countText(language, server);
  if (count === null) return `**${language.t(`state.${server.status}`)}**`;
  return `**${count}** ${playersWord(language, server)}`;
}

/** Map, next restart and last check, since Discord keeps a preview for a day. It writes times in the zone of each reader. */
function aboutOf({ language, now }: View, { server, schedules }: ShownServer): string {
  const restart = nextRestart(schedules, now);
  return facts(
    mapName(server.map),
    restart !== null && language.t('status.restart', { when: upcoming(restart, now) }),
    server.checkedAt && language.t('status.checked', { when: relative(server.checkedAt) }),
  );
}

/** One server: its state, players, next restart and a button to join. Null: it is over Discord's limit. */
export function serverEmbed(view: ProjectView, shown: ShownServer): ComponentEmbed | null {
  const { server } = shown;
  const about = aboutOf(view, shown);
  return withinLimit({
    type: ComponentType.Container,
    accent_color: stateColours[server.status],
    components: [
      text(`## ${marks[server.status]} ${nameOf(server, nameLength)}\n${stateOf(view, server)}`),
      ...(about === '' ? [] : [text(about)]),
      ...buttonRows([...joinButtons(view, shown, '🎮'), ...pageButtons(view, serverPath(server.id))]),
    ],
  });
}

/** As many servers of a project as Discord's limit allows. Null: it does not allow even the project alone. */
export function projectEmbed(view: ProjectView, servers: readonly ShownServer[]): ComponentEmbed | null {
  for (let count = Math.min(servers.length, mostServers); count >= 0; count -= 1) {
    const left = servers.length - count;
    const embed = withinLimit({
      type: ComponentType.Container,
      accent_color: servers.length === 0 ? colours.unknown : colourOfAll(servers.map(({ server }) => server)),
      components: [
        text(`## ${escaped(view.project.title, nameLength)}`),
        ...servers.slice(0, count).map((shown) => {
          const { server } = shown;
          const title = `${marks[server.status]} **${nameOf(server, nameLength)}**`;
          const content = text(lines(title, facts(stateOf(view, server), aboutOf(view, shown))));
          const [accessory] = joinButtons(view, shown);
          return accessory === undefined
            ? content
            : { type: ComponentType.Section as const, components: [content], accessory };
        }),
        ...(left > 0 ? [text(view.language.t('more', { count: left }))] : []),
        ...buttonRows(pageButtons(view, '')),
      ],
    });
    if (embed !== null) return embed;
  }
  return null;
}

function withinLimit(component: APIContainerComponent): ComponentEmbed | null {
  const embed = { component };
  return Buffer.byteLength(scriptJson(embed)) <= embedBytes ? embed : null;
}

/** JSON for a `<script>`. Without `<`, no text in it can end the element. */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
