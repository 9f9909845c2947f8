import { ApplicationCommandOptionType } from 'discord.js';
import type { Server } from '../../api/resources.ts';
import { alertsPlacedEmbed, alertTexts } from '../../embeds/setup.ts';
import { serverName } from '../../embeds/status.ts';
import { isSupported } from '../../locales/language.ts';
import {
  numberOption,
  textOption,
  type CommandContext,
  type ComponentContext,
  type Reply,
} from '../command.ts';
import type { AlertRules, Placed } from '../placements.ts';
import { failureReply, reply } from '../replies.ts';
import { place, placementTarget, type PlacingContext } from './placing.ts';
import { withServers } from './server-choice.ts';
import { languageOption, type Subcommand } from './subcommand.ts';

const { Boolean, Integer, Role, Subcommand: subcommand } = ApplicationCommandOptionType;

const downAfterMinutes = 3;
const cooldownMinutes = 120;

/** Limits of the options. Discord enforces them in the client. */
const alertBounds = {
  players: { min_value: 1, max_value: 10_000 },
  restart: { min_value: 1, max_value: 1_440 },
} as const;

/** The requested alerts, before the servers are chosen. */
interface Wanted {
  down: boolean;
  players: number | null;
  restart: number | null;
  roleId: string | null;
  locale: string | undefined;
}

function within({ min_value, max_value }: { min_value: number; max_value: number }, value: number): boolean {
  return Number.isInteger(value) && value >= min_value && value <= max_value;
}

function rulesOf({ down, players, restart, roleId: asked }: Wanted): AlertRules {
  const roleId = asked ?? undefined;
  return {
    ...(down && { down: { afterMinutes: downAfterMinutes, roleId } }),
    ...(players !== null && { players: { atLeast: players, cooldownMinutes, roleId } }),
    ...(restart !== null && { restart: { minutesBefore: restart, roleId } }),
  };
}

/** The rules that `others` has, too: both would alert the same people of the same thing. */
function commonRules({ down, players, restart }: AlertRules, others: AlertRules): AlertRules {
  const isIn = (rule: 'down' | 'players' | 'restart', roleId: string | undefined): boolean =>
    others[rule] !== undefined && others[rule].roleId === roleId;
  return {
    ...(down && isIn('down', down.roleId) && { down }),
    ...(players?.atLeast === others.players?.atLeast && isIn('players', players?.roleId) && { players }),
    ...(restart?.minutesBefore === others.restart?.minutesBefore &&
      isIn('restart', restart?.roleId) && { restart }),
  };
}

/** What the channel already has of such alerts; null: nothing. */
function findDoubled(
  placed: readonly Placed[],
  channelId: string,
  rules: AlertRules,
  chosen: readonly Server[],
): { servers: readonly Server[]; rules: AlertRules } | null {
  for (const { channelId: place, content } of placed) {
    if (content.kind !== 'alerts' || place !== channelId) continue;
    const servers = chosen.filter(({ id }) => content.servers.includes(id));
    const common = commonRules(content.rules, rules);
    if (servers.length > 0 && Object.keys(common).length > 0) return { servers, rules: common };
  }
  return null;
}

const boldName = (server: Server): string => `**${serverName(server)}**`;

async function placeAlerts(context: PlacingContext, wanted: Wanted): Promise<Reply> {
  const { language, asker } = context;
  const { down, players, restart, roleId, locale } = wanted;
  const refuse = (key: 'setup.alertNothing' | 'setup.alertEveryone') =>
    failureReply(language, 'inputTitle', language.t(key));
  if (!down && players === null && restart === null) return refuse('setup.alertNothing');
  // The id of the @everyone role is the guild's id.
  if (roleId !== null && roleId === asker.guildId) return refuse('setup.alertEveryone');
  const target = placementTarget(context);
  if ('refusal' in target) return target.refusal;
  const args = [down ? '1' : '', players ?? '', restart ?? '', roleId ?? '', locale ?? ''].map(String);
  return await withServers(context, { action: 'alert', args }, async (chosen) => {
    const servers = chosen.map(({ id }) => id);
    const rules = rulesOf(wanted);
    const content = { kind: 'alerts' as const, servers, rules };
    const placed = await target.placements.list(target.guildId);
    const doubled = findDoubled(placed, target.channelId, rules, chosen);
    if (doubled !== null) {
      const text = language.t('setup.alertExists', { servers: language.list(doubled.servers.map(boldName)) });
      const alerts = alertTexts(language, doubled.rules).map((alert) => `- ${alert}`);
      return failureReply(language, 'inputTitle', text, ...alerts, language.t('setup.placedNext'));
    }
    const names = { servers: chosen.map(boldName), times: rules, mentions: roleId !== null };
    return await place(context, target, { content, locale }, () => {
      return { ...reply(alertsPlacedEmbed(language, names, target.mentionsAll)), components: [] };
    });
  });
}

/** `/outpost alert`: turns on alerts about servers in this channel. */
async function alertCommand(context: CommandContext): Promise<Reply> {
  const { options } = context;
  const number = (name: keyof typeof alertBounds): number | null => {
    const value = numberOption(options, name);
    return value !== null && within(alertBounds[name], value) ? value : null;
  };
  return await placeAlerts(context, {
    down: options['down'] === true,
    players: number('players'),
    restart: number('restart'),
    roleId: textOption(options, 'role'),
    locale: textOption(options, 'language') ?? undefined,
  });
}

/** Handles the menu of servers. Null: the arguments are invalid. */
function pressAlert(context: ComponentContext): Promise<Reply> | null {
  const [down = '', players = '', restart = '', roleId = '', locale = '', ...rest] = context.args;
  const isNumber = (name: keyof typeof alertBounds, text: string) =>
    text === '' || (/^[0-9]{1,5}$/.test(text) && within(alertBounds[name], Number(text)));
  if (!['', '1'].includes(down) || !isNumber('players', players) || !isNumber('restart', restart))
    return null;
  if (!/^(?:[0-9]{17,20})?$/.test(roleId) || (locale !== '' && !isSupported(locale)) || rest.length > 0)
    return null;
  return placeAlerts(context, {
    down: down === '1',
    players: players === '' ? null : Number(players),
    restart: restart === '' ? null : Number(restart),
    roleId: roleId === '' ? null : roleId,
    locale: locale === '' ? undefined : locale,
  });
}

export const alertSubcommand: Subcommand = {
  definition: {
    type: subcommand,
    name: 'alert',
    options: [
      { type: Boolean, name: 'down' },
      { type: Integer, name: 'players', ...alertBounds.players },
      { type: Integer, name: 'restart', ...alertBounds.restart },
      { type: Role, name: 'role' },
      languageOption,
    ],
  },
  runs: { alert: alertCommand },
  presses: { alert: pressAlert },
};
