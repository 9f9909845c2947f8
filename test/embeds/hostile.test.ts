import type { APIEmbed } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { banCheckEmbed } from '../../src/embeds/ban-check.ts';
import {
  banlistEmbed,
  banlistsEmbed,
  banlistUnavailableEmbed,
  banPages,
} from '../../src/embeds/ban-lists.ts';
import { brandingOf } from '../../src/embeds/branding.ts';
import { fit } from '../../src/embeds/limits.ts';
import { onlineEmbed } from '../../src/embeds/online.ts';
import { playerEmbed } from '../../src/embeds/player.ts';
import { scheduleEmbed } from '../../src/embeds/schedule.ts';
import { statusEmbed } from '../../src/embeds/status.ts';
import { topEmbed } from '../../src/embeds/top.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from './contract-data.ts';
import { hostileTexts } from './hostile-texts.ts';
import { markdownTexts, unescaped, violations } from './message-rules.ts';

const language = languageOf('en-US');
const { now } = data;
const fresh = { receivedAt: now, stale: false };

/** Every embed with `text` wherever other people's text may stand. */
function embedsWith(text: string): APIEmbed[] {
  const branding = brandingOf({
    project: { ...data.project, name: text },
    support: { ...data.support, title: text },
  });
  const server = data.server({ name: text, map: text });
  const view = { server, schedules: [data.schedule({ title: text, description: text })] };
  const names = Array.from({ length: 30 }, () => text);
  const alias = { name: text, firstSeenAt: null, lastSeenAt: null };
  const player = data.player({ name: text, aliases: names.map((name) => ({ ...alias, name })) });
  const list = data.banlist({ name: text, description: text });
  const ban = data.ban({
    reason: text,
    player: { ...data.reference({ name: text }), aliases: [alias] },
    targets: [{ type: 'SERVER', serverId: 'x', name: text, state: 'FAILED' }],
  });
  const check = { identifier: '76561198000000001', name: text, identitiesKnown: true, now };
  return [
    statusEmbed(language, branding, { servers: [view], ...fresh }, now),
    statusEmbed(language, branding, { servers: Array.from({ length: 30 }, () => view), ...fresh }, now),
    onlineEmbed(language, branding, { server, result: data.online(names), ...fresh }),
    topEmbed(language, branding, { board: data.leaderboard(names.slice(0, 25)), ...fresh }),
    playerEmbed(language, branding, { player, ...fresh }),
    banlistsEmbed(language, branding, { lists: Array.from({ length: 30 }, () => list), ...fresh }),
    ...banPages(
      language,
      Array.from({ length: 10 }, () => ban),
    ).map((entries, index, { length }) =>
      banlistEmbed(language, branding, {
        ...{ list, entries, readable: 10, page: index + 1, pages: length },
        ...fresh,
      }),
    ),
    banlistUnavailableEmbed(language, branding, { asked: text, lists: [list] }),
    banCheckEmbed(language, branding, {
      ...check,
      checks: Array.from({ length: 30 }, () => ({ list, outcome: 'banned', bans: [ban, ban] }) as const),
    }),
    banCheckEmbed(language, branding, {
      ...check,
      checks: Array.from({ length: 30 }, () => ({ list, outcome: 'failed' }) as const),
    }),
    scheduleEmbed(language, branding, { servers: [view], ...fresh }, now),
    scheduleEmbed(language, branding, { servers: Array.from({ length: 30 }, () => view), ...fresh }, now),
  ];
}

/** The bot's own formatting in a text: times, bold, small print, headings of lines. */
function withoutOwnFormatting(line: string): string {
  return line
    .replace(/<t:\d+:[a-zA-Z]>/g, '')
    .replace(/^-# /, '')
    .replaceAll('**', '');
}

/** Lines in which something of a text has a meaning for Discord, or opens or closes the bot's own bold. */
function brokenOut(embed: APIEmbed): string[] {
  const lines = markdownTexts(embed).flatMap((text) => unescaped(text).split('\n'));
  return lines.filter(
    (line) =>
      (line.match(/\*\*/g) ?? []).length % 2 !== 0 ||
      /[*_~`<[\]]|\|\||:\/\/|^(#|-|\+|>) /.test(withoutOwnFormatting(line)),
  );
}

describe('texts made to break out', () => {
  it('stay texts in every embed, within every limit', () => {
    for (const text of hostileTexts(200)) {
      const sent = embedsWith(text).map((embed) => fit([embed]));
      expect(sent.flatMap(violations)).toEqual([]);
      expect(sent.flat().flatMap(brokenOut)).toEqual([]);
    }
  });
});
