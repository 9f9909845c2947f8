import type { TextKey } from '../locales/language.ts';
import type { Command, CommandContext, Reply } from './command.ts';
import { showPlayer } from './player-answer.ts';
import type { MemberLink, PlayerLinks } from './interfaces/player-links.ts';
import { demandOpenProject } from './reads.ts';
import { failureReply } from './replies.ts';

/** Why a member has no card, with what the member can do about it here. */
function whyNoCard(links: PlayerLinks, own: MemberLink | null): TextKey {
  if (links.proofs.isOffered()) return own === null ? 'link.meNone' : 'link.meClaimed';
  return links.areClaimsEnough() ? 'link.meNoneClaim' : 'link.meNever';
}

/** The player of a member. */
export async function showLinked(context: CommandContext, memberId: string): Promise<Reply> {
  const { community, asker, language } = context;
  const { links } = community;
  const isOwn = memberId === asker.userId;
  const refuse = (text: TextKey): Reply => failureReply(language, 'notFoundTitle', language.t(text));
  await demandOpenProject(context.client);
  const link = await links.get(memberId);
  const isShown = link !== null && (link.isProven || links.areClaimsEnough());
  if (!isShown) return refuse(isOwn ? whyNoCard(links, link) : 'link.memberNone');
  if (link.isHidden && isOwn) return refuse('link.meHidden');
  const player = link.ref === null || link.isHidden ? null : await community.players.get(link.ref);
  if (player === null || link.ref === null) return refuse('link.memberNone');
  return await showPlayer(context, {
    who: { ref: link.ref },
    player,
    isOwn,
    link: { memberId, isProven: link.isProven },
    byMember: true,
    receivedAt: context.now,
    stale: false,
  });
}

/** `/me`: the card of the asker's own player. */
export const meCommand: Command = {
  definition: { name: 'me' },
  needsStore: () => 'link.unavailable',
  run: (context) => showLinked(context, context.asker.userId),
};
