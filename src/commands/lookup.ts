import type { Identifier } from '../api/identifiers.ts';
import { banField } from '../embeds/ban-check.ts';
import { unknownPlayerEmbed } from '../embeds/failure.ts';
import { checkIdentifier } from './ban-check.ts';
import { choicesFor } from './choices.ts';
import {
  textOption,
  type Command,
  type CommandComponents,
  type CommandContext,
  type Reply,
} from './command.ts';
import { identifierOption, unknownNameOrIdentifier } from './identifier-input.ts';
import { askWhichPlayer, playerCandidates, readKnownPlayers } from './known-players.ts';
import { link, unlink } from './link.ts';
import { linkedPlayer } from './linked-player.ts';
import { showLinked } from './me.ts';
import { playerAnswer, readBans, showPlayer } from './player-answer.ts';
import { findPlayer } from './player-input.ts';
import { isRefusal } from './reads.ts';
import { failureReply, privateReply, unavailableReply } from './replies.ts';
import { controlsOf, optionsOf, screenComponents } from './screen.ts';

/** The answer about a player whom the service does not know, but whom bans may name. */
async function unknownPlayer(context: CommandContext, identifier: Identifier): Promise<Reply> {
  const { language } = context;
  const bans = await readBans(context, (lists) => checkIdentifier(context, identifier, lists));
  const embed = unknownPlayerEmbed(language, identifier);
  return privateReply(bans === null ? embed : { ...embed, fields: [banField(language, bans)] });
}

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language, asker } = context;
  const member = textOption(options, 'member');
  if (member !== null) return await showLinked(context, member);
  const text = textOption(options, 'identifier');
  if (text === null) return failureReply(language, 'inputTitle', language.t('failure.nobodyNamed'));
  const found = await findPlayer(context, text);
  if ('missing' in found) {
    const isCard = textOption(options, 'show') === 'card';
    // The player of the card was hidden or forgotten.
    return isCard ? unavailableReply(language, 'card.gone') : unknownNameOrIdentifier(language, text);
  }
  if ('several' in found) {
    return askWhichPlayer(context, controlsOf(playerAnswer, context, {}), text, found.several);
  }
  if ('stored' in found) {
    const { ref, player } = found.stored;
    return await showPlayer(context, { who: { ref }, player, receivedAt: context.now, stale: false });
  }
  const { identifier, typed } = found;
  try {
    const [answer, own] = await Promise.all([
      client.getPlayer({ identifier: identifier.value }),
      linkedPlayer(context),
    ]);
    const { data, receivedAt, stale } = answer;
    const isOwn = own?.isSame(data.player) === true;
    return await showPlayer(context, {
      who: identifier,
      player: data.player,
      // Only of what a member typed: a button has the identifier even if the player was found by name.
      recognised: typed && !context.pressed ? identifier.kind : null,
      isOwn,
      link: isOwn ? { memberId: asker.userId, isProven: own.link.isProven } : null,
      mayLink: true,
      receivedAt,
      stale,
    });
  } catch (error) {
    if (!isRefusal(error, 'not_found')) throw error;
    return await unknownPlayer(context, identifier);
  }
}

const screenPresses = screenComponents(playerAnswer, run);

/** Whether a message of its own answers, so that the card above stays. */
const hasOwnAnswer = (action: string): boolean => ['link', 'unlink', 'card'].includes(action);

const components: CommandComponents = {
  mode: (action) => (hasOwnAnswer(action) ? 'private' : screenPresses.mode(action)),
  isForAll: (action) => action === 'card',
  press(context) {
    const { action, args, values } = context;
    const options = optionsOf(playerAnswer, args, values);
    if (options === null) return null;
    if (action === 'card' || action === 'share')
      return run({ ...context, options: { ...options, shared: action === 'share' } });
    if (action === 'unlink') return unlink(context);
    return action === 'link' ? link(context, String(options['identifier'])) : screenPresses.press(context);
  },
};

/** `/lookup identifier|member`: one player. Private, since it shows identifiers and earlier names. */
export const lookupCommand: Command = {
  definition: {
    name: 'lookup',
    options: [
      { ...identifierOption, autocomplete: true },
      { type: 'User', name: 'member' },
    ],
  },
  run,
  async autocomplete(context) {
    const players = await readKnownPlayers(context.client);
    return choicesFor(playerCandidates(context, players), context.focused.value);
  },
  components,
};
