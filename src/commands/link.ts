import { ButtonStyle } from 'discord.js';
import { parseIdentifier, type Identifier } from '../api/identifiers.ts';
import { unknownPlayerEmbed } from '../embeds/failure.ts';
import { linkNoticeEmbed, linkStepsEmbed, ownLinkEmbed } from '../embeds/link.ts';
import { relative } from '../embeds/timestamps.ts';
import type { TextKey } from '../locales/language.ts';
import { memberOf, type Command, type CommandContext, type ComponentContext, type Reply } from './command.ts';
import { writeComponentId } from './component-id.ts';
import type { LinkProof, MemberLink, PlayerLinks } from './interfaces/player-links.ts';
import { demandOpenProject, isRefusal } from './reads.ts';
import { failureReply, privateReply, reply } from './replies.ts';
import { button, buttonRow, type ButtonLook } from './rows.ts';
import { actionComponents } from './screen.ts';

/*
 * A member proves who they are by gestures in the game, which its log names. Where the bot reads another service, or
 * the owner allows it, the member's word counts.
 */

/** So long after the end of a proof, lines of the log with gestures from before it may still arrive. */
const logLateMs = 30 * 60_000;

function refuse(
  { language }: CommandContext,
  text: TextKey,
  title: 'deniedTitle' | 'notFoundTitle' = 'deniedTitle',
) {
  return failureReply(language, title, language.t(text));
}

type LinkButton = readonly [action: string, look: ButtonLook, ...args: string[]];

function withButtons({ language, ownerId }: CommandContext, shown: Reply, ...buttons: LinkButton[]): Reply {
  const row = buttons.map(([action, look, ...args]) =>
    button(language, look, writeComponentId({ command: 'link', action, ownerId, args })),
  );
  return { ...shown, components: buttonRow(...row) };
}

/** What each step of a proof needs. @throws ServiceError while the project is suspended */
async function openLinks({ client, community, asker }: CommandContext) {
  await demandOpenProject(client);
  const { links } = community;
  return { links, proofs: links.proofs, who: memberOf(asker) };
}

/** The player that the member is linked to, the proof that has begun, or one that begins now. */
async function show(context: CommandContext, isNew = false): Promise<Reply> {
  const { links, proofs, who } = await openLinks(context);
  const own = await links.get(who.userId);
  if (own?.isProven === true) return showOwn(context, own);
  const proof = await proofs.state(who.userId);
  if (!isNew && proof !== null && !isStale(proof, context.now)) return showProof(context, proof);
  if (!proofs.isOffered()) {
    if (own !== null) return showOwn(context, own);
    return links.areClaimsEnough()
      ? refuse(context, 'link.meNoneClaim', 'notFoundTitle')
      : refuse(context, 'link.noLogs');
  }
  const started = await proofs.start(who);
  if (started !== 'started') {
    const { language } = context;
    const text = language.t(`link.${started.refused}`, { when: relative(started.until) });
    return failureReply(language, 'waitTitle', text);
  }
  const drawn = await proofs.state(who.userId);
  return drawn === null ? refuse(context, 'link.unavailable') : showProof(context, drawn);
}

const isStale = ({ endsAt, found }: LinkProof, now: number): boolean =>
  found === null && now > endsAt + logLateMs;

function showProof(context: CommandContext, proof: LinkProof): Reply {
  const isOver = context.now > proof.endsAt;
  const steps = reply(linkStepsEmbed(context.language, { ...proof, isOver }));
  const { found } = proof;
  if (found !== null && typeof found === 'object') {
    const thatsMe = { label: 'button.thatsMe', style: ButtonStyle.Success } as const;
    const confirm: LinkButton = ['confirm', thatsMe, found.ref];
    return withButtons(context, steps, confirm, ['again', { label: 'button.notMyPlayer' }]);
  }
  const shown = withButtons(
    context,
    steps,
    // For after a restart of the bot, which ends the updates of this message.
    ['state', { label: 'button.refresh' }],
    ['again', { label: 'button.newGestures' }],
    ['cancel', { label: 'button.cancel' }],
  );
  if (isOver || found !== null) return shown;
  return {
    ...shown,
    // The message is edited as the log names gestures, until the member uses the command again.
    async refresh(now) {
      const later = await context.community.links.proofs.state(context.asker.userId);
      return later && showProof({ ...context, now }, later);
    },
  };
}

function showOwn(context: CommandContext, own: MemberLink): Reply {
  const { isProven, isHidden } = own;
  // Where a claim could be proven, `show` has begun with the proof instead.
  const hiding: LinkButton = isHidden
    ? ['show', { label: 'button.showMe' }]
    : ['hide', { label: 'button.hideMe' }];
  const unlink: LinkButton = ['unlink', { label: 'button.unlink' }];
  const embed = ownLinkEmbed(context.language, own);
  return withButtons(context, reply(embed), ...(isProven ? [hiding] : []), unlink);
}

async function confirm(context: CommandContext, ref: string): Promise<Reply> {
  const { proofs, who } = await openLinks(context);
  const outcome = await proofs.confirm(who.userId, ref);
  return outcome === 'held' ? refuse(context, 'link.isHeld') : await show(context);
}

async function setHidden(context: CommandContext, isHidden: boolean): Promise<Reply> {
  const { proofs, who } = await openLinks(context);
  const isDone = await proofs.setHidden(isHidden, who);
  return isDone ? await show(context) : refuse(context, 'link.needsProof');
}

const showUnlinked = ({ language }: CommandContext): Reply => ({
  ...reply(linkNoticeEmbed(language, 'unlinked')),
  components: [],
});

async function cancel(context: CommandContext): Promise<Reply> {
  const { proofs, who } = await openLinks(context);
  await proofs.end(who.userId);
  return showUnlinked(context);
}

/** The button "This is me" of a card. Null: the text is not an identifier. */
export function link(context: ComponentContext, text: string): Promise<Reply> | null {
  const parsed = parseIdentifier(text);
  const { links } = context.community;
  if (parsed === null) return null;
  return links.proofs.isOffered() && !links.areClaimsEnough() ? show(context) : claim(context, links, parsed);
}

async function claim(context: ComponentContext, links: PlayerLinks, identifier: Identifier): Promise<Reply> {
  const { client, language, asker } = context;
  try {
    // The button may be older than the wish to be forgotten.
    const { player } = (await client.getPlayer({ identifier: identifier.value })).data;
    const outcome = await links.claim(asker.userId, identifier.value);
    if (outcome === 'linked') {
      const { isProven = false } = (await links.get(asker.userId)) ?? {};
      return privateReply(ownLinkEmbed(language, { name: player.name, isProven, isHidden: false }));
    }
    if (outcome === 'unknown') return privateReply(unknownPlayerEmbed(language, identifier));
    if (outcome === 'held') return refuse(context, 'link.isHeld');
    return refuse(context, links.proofs.isOffered() ? 'link.isTaken' : 'link.isTakenForGood');
  } catch (error) {
    if (!isRefusal(error, 'not_found')) throw error;
    return privateReply(unknownPlayerEmbed(language, identifier));
  }
}

/** Undoes the member's own link. */
export async function unlink(context: CommandContext): Promise<Reply> {
  const { asker, community } = context;
  await community.links.remove(asker.userId, memberOf(asker));
  return showUnlinked(context);
}

/** `/link`: proves which player a member is. Always private: whoever sees the gestures can make them, too. */
export const linkCommand: Command = {
  definition: { name: 'link' },
  needsStore: () => 'link.unavailable',
  run: (context) => show(context),
  components: actionComponents({
    again: (context) => show(context, true),
    cancel,
    unlink,
    hide: async (context) =>
      withButtons(
        context,
        reply(linkNoticeEmbed(context.language, 'askHide')),
        ['hidesure', { label: 'button.hideMe', style: ButtonStyle.Danger }],
        ['state', { label: 'button.back' }],
      ),
    hidesure: (context) => setHidden(context, true),
    show: (context) => setHidden(context, false),
    state: (context) => show(context),
    confirm: (context) => (context.args[0] === undefined ? null : confirm(context, context.args[0])),
  }),
};
