import type { APIEmbed } from 'discord-api-types/v10';
import { isTextKey, type Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { playerName } from './shared-texts.ts';
import { facts, lines, small } from './text.ts';
import { clock, relative } from './timestamps.ts';

export interface LinkMark {
  /** Discord id. */
  memberId: string;
  isProven: boolean;
}

/** Shown wherever a link is. */
export const markText = (language: Language, isProven: boolean): string =>
  isProven ? `✔ ${language.t('link.proven')}` : language.t('link.claimed');

/** What a member has to do to prove a link, and what was seen of it. */
export interface LinkSteps {
  /** To be made one after the other. */
  gestures: readonly { code: string; name: string }[];
  /** How many somebody has made in order. */
  seen: number;
  /** Gestures that are made later do not count. Epoch milliseconds. */
  endsAt: number;
  isOver: boolean;
  /** How late a host of the project hands its logs over. */
  lateByMs: number;
  found: { name: string | null } | 'several' | 'taken' | null;
}

/** In the member's language, with the English name where that differs: nobody knows the language of the member's game. */
function gestureName(language: Language, { code, name }: LinkSteps['gestures'][number]): string {
  const key = `gesture.${code}`;
  const own = isTextKey(key) ? language.t(key) : name;
  return own === name ? `**${name}**` : `**${own}** (${name})`;
}

export function linkStepsEmbed(language: Language, steps: LinkSteps): APIEmbed {
  const { gestures, seen, endsAt, isOver, lateByMs, found } = steps;
  const list = gestures.map(
    (gesture, index) => `${index < seen ? '✅' : '⬜'} ${index + 1}. ${gestureName(language, gesture)}`,
  );
  const isOpen = found === null && !isOver;
  return {
    title: `📍 ${language.t('link.title')}`,
    description: lines(
      isOpen && language.t('link.steps', { time: clock(endsAt), when: relative(endsAt) }),
      list,
      '',
      nextText(language, steps),
      found === null && lateByMs > 0 && small(language.t('link.late')),
      isOpen && small(language.t('link.wheel')),
    ),
    color: found !== null && typeof found === 'object' ? colours.online : colours.accent,
  };
}

function nextText(language: Language, { found, isOver }: LinkSteps): string {
  if (found === 'several' || found === 'taken') return language.t(`link.${found}`);
  if (found !== null) return language.t('link.found', { player: playerName(language, found.name) });
  return language.t(isOver ? 'link.over' : 'link.follows');
}

export function ownLinkEmbed(
  language: Language,
  link: { name: string | null; isProven: boolean; isHidden: boolean },
): APIEmbed {
  return {
    title: `📍 ${language.t('link.linkedTitle')}`,
    description: lines(
      facts(`**${playerName(language, link.name)}**`, markText(language, link.isProven)),
      language.t(link.isProven ? 'link.gives' : 'link.claimGives'),
      link.isHidden && `🙈 ${language.t('link.isHidden')}`,
    ),
    color: link.isProven ? colours.online : colours.unknown,
  };
}

/** `askHide`: a member asks to be hidden. `unlinked`, `memberNone`: there is no link any more, of one's own or of a member. */
const notices = {
  askHide: { sign: '🙈', title: 'link.askHideTitle', color: colours.warning },
  unlinked: { sign: '📍', title: 'link.unlinkedTitle', color: colours.unknown },
  memberNone: { sign: '📍', title: 'link.unlinkedTitle', color: colours.unknown },
} as const;

export function linkNoticeEmbed(language: Language, notice: keyof typeof notices): APIEmbed {
  const { sign, title, color } = notices[notice];
  return { title: `${sign} ${language.t(title)}`, description: language.t(`link.${notice}`), color };
}
