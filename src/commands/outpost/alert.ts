import type { Server } from '../../api/resources.ts';
import { nextRestart } from '../../embeds/schedule-times.ts';
import { alertsPlacedEmbed, alertTexts, type AlertNames } from '../../embeds/placements.ts';
import { numberOption, textOption, type CommandOptions, type Reply } from '../command.ts';
import type { Placed } from '../interfaces/placements.ts';
import {
  hasPlayerRules,
  hasServerRules,
  isForModerators,
  type AlertRules,
  type PlayerAlertRules,
} from '../../config/schema/channel-jobs.ts';
import { optional } from '../reads.ts';
import { failureReply, reply } from '../replies.ts';
import { place, placementTarget, type PlacementTarget, type PlacingContext } from './placing.ts';
import { boldName, chooseServers, runWithChoice } from './server-choice.ts';
import { languageOption, localeOf, type Subcommand } from './subcommand.ts';

const downAfterMinutes = 5;
const cooldownMinutes = 120;

/** Limits of the options. Discord enforces them in the client. */
const alertBounds = {
  after: { min_value: 1, max_value: 60 },
  players: { min_value: 1, max_value: 10_000 },
  restart: { min_value: 1, max_value: 1_440 },
} as const;

/** The options that the menus of servers keep in their custom_id. */
const screen = {
  command: 'outpost',
  action: 'alert',
  options: {
    down: 'flag',
    players: 'number',
    restart: 'number',
    role: 'text',
    language: 'text',
    menu: 'number',
    after: 'number',
    watched: 'flag',
    banned: 'flag',
    newcomers: 'flag',
  },
} as const;

type Rules = AlertRules & PlayerAlertRules;

function rulesOf(options: CommandOptions): Rules {
  const number = (name: keyof typeof alertBounds): number | null => {
    const value = numberOption(options, name);
    const { min_value, max_value } = alertBounds[name];
    return value !== null && value >= min_value && value <= max_value ? value : null;
  };
  const [after, players, restart] = [number('after'), number('players'), number('restart')];
  const isDown = options['down'] ?? after !== null;
  const [roleId] = /^[0-9]{17,20}$/.exec(textOption(options, 'role') ?? '') ?? [];
  return {
    ...(isDown === true && { down: { afterMinutes: after ?? downAfterMinutes, roleId } }),
    ...(players !== null && { players: { atLeast: players, cooldownMinutes, roleId } }),
    ...(restart !== null && { restart: { minutesBefore: restart, roleId } }),
    ...(options['watched'] === true && { watched: { roleId } }),
    ...(options['banned'] === true && { banned: { roleId } }),
    ...(options['newcomers'] === true && { newPlayers: { roleId } }),
  };
}

/** The number by which two rules of a kind differ. Null: both alert of the same event, whatever their other options. */
const amountOf = (rule: object): unknown =>
  'atLeast' in rule ? rule.atLeast : 'minutesBefore' in rule ? rule.minutesBefore : null;

/** The rules that `others` has, too: both would alert the same people of the same thing. */
function commonRules(rules: Rules, others: Rules): Rules {
  const common = Object.entries(rules).filter(([name, rule]) => {
    const other = others[name as keyof Rules];
    return rule && other && other.roleId === rule.roleId && amountOf(other) === amountOf(rule);
  });
  return Object.fromEntries(common);
}

/** The first alerts of the channel that have some of these rules for some of these servers; null: none has. */
function findDoubled(
  placed: readonly Placed[],
  channelId: string,
  rules: Rules,
  chosen: readonly Server[],
): { rules: Rules; servers: readonly Server[] } | null {
  for (const { content, ...other } of placed) {
    if (content.kind !== 'alerts' || other.channelId !== channelId) continue;
    const servers = chosen.filter(({ id }) => content.servers.includes(id));
    const { kind: _, servers: __, ...existing } = content;
    const common = commonRules(existing, rules);
    if (servers.length > 0 && Object.keys(common).length > 0) return { servers, rules: common };
  }
  return null;
}

/** Whether alerts mention a role, and its members are notified. */
function mentionsOf(
  { channels }: PlacingContext,
  { guildId, mentionsAll }: PlacementTarget,
  roleId: string | undefined,
): AlertNames['mentions'] {
  if (roleId === undefined) return false;
  return mentionsAll || channels.isMentionable(guildId, roleId) || 'muted';
}

/** `/outpost alert`: turns on alerts in this channel. */
async function alertCommand(context: PlacingContext): Promise<Reply> {
  const { language, asker, options, channels } = context;
  const refuse = (key: 'setup.alertNothing' | 'setup.alertEveryone') =>
    failureReply(language, 'inputTitle', language.t(key));
  const rules = rulesOf(options);
  const [first] = Object.values(rules);
  if (first === undefined) return refuse('setup.alertNothing');
  // The id of the @everyone role is the guild's id.
  if (first.roleId !== undefined && first.roleId === asker.guildId) return refuse('setup.alertEveryone');
  const target = placementTarget(context);
  if ('refusal' in target) return target.refusal;
  const choice = await chooseServers(context, screen, !hasServerRules(rules));
  if ('answer' in choice) return choice.answer;
  const { chosen } = choice;
  const content = { kind: 'alerts' as const, servers: chosen.map(({ id }) => id), ...rules };
  const placed = await target.placements.list(target.guildId);
  const doubled = findDoubled(placed, target.channelId, rules, chosen);
  if (doubled !== null) {
    const text = language.t('setup.alertExists', { servers: language.list(doubled.servers.map(boldName)) });
    const alerts = alertTexts(language, doubled.rules).map((alert) => `- ${alert}`);
    return failureReply(language, 'inputTitle', text, ...alerts, language.t('setup.placedNext'));
  }
  const mentions = mentionsOf(context, target, first.roleId);
  const isExposed = isForModerators(rules) && channels.isForAll(target.channelId);
  const unscheduled = rules.restart === undefined ? [] : await withoutRestarts(context, chosen);
  const servers = chosen.map(boldName);
  const names = { servers, unscheduled: unscheduled.map(boldName), times: rules, mentions, isExposed };
  return await place(context, target, { content, locale: localeOf(options) }, () =>
    reply(alertsPlacedEmbed(language, names)),
  );
}

/** The servers for which no restart is scheduled, as far as is known. */
async function withoutRestarts(
  { community, now }: PlacingContext,
  servers: readonly Server[],
): Promise<readonly Server[]> {
  const schedules = await optional(community.schedules(servers.map(({ id }) => id)), new Map());
  return servers.filter(({ id }) => {
    const known = schedules.get(id);
    return known !== undefined && nextRestart(known, now) === null;
  });
}

export const alertSubcommand: Subcommand = {
  definition: {
    type: 'Subcommand',
    name: 'alert',
    options: [
      { type: 'Boolean', name: 'down' },
      { type: 'Integer', name: 'after', ...alertBounds.after },
      { type: 'Integer', name: 'players', ...alertBounds.players },
      { type: 'Integer', name: 'restart', ...alertBounds.restart },
      { type: 'Boolean', name: 'watched' },
      { type: 'Boolean', name: 'banned' },
      { type: 'Boolean', name: 'newcomers' },
      { type: 'Role', name: 'role' },
      languageOption,
    ],
  },
  // Only logs say who comes on.
  needsStore: (options) => (hasPlayerRules(rulesOf(options)) ? 'setup.needsLogs' : null),
  runs: { alert: alertCommand },
  presses: { alert: (context) => runWithChoice(context, screen, alertCommand) },
};
