import type { APIEmbed } from 'discord-api-types/v10';
import { ServiceError, ServiceUnreachableError } from '../api/client-types.ts';
import type { ErrorCode } from '../api/errors.ts';
import type { Identifier } from '../api/identifiers.ts';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { playerName } from './shared-texts.ts';
import { code, escaped, facts, linesWithin } from './text.ts';
import { relative } from './timestamps.ts';

export type FailureTitle =
  'title' | 'waitTitle' | 'unavailableTitle' | 'notFoundTitle' | 'deniedTitle' | 'inputTitle';

const styles = {
  title: { emoji: '⚠️', color: colours.offline },
  waitTitle: { emoji: '⏳', color: colours.warning },
  unavailableTitle: { emoji: '🔌', color: colours.unknown },
  notFoundTitle: { emoji: '🔍', color: colours.unknown },
  deniedTitle: { emoji: '🔒', color: colours.offline },
  inputTitle: { emoji: '✏️', color: colours.warning },
} as const satisfies Record<FailureTitle, { emoji: string; color: number }>;

/** An error: what went wrong and what to do next, one sentence each. */
export function failureEmbed(
  language: Language,
  title: FailureTitle,
  sentences: readonly string[],
): APIEmbed {
  const { emoji, color } = styles[title];
  return {
    title: `${emoji} ${language.t(`failure.${title}`)}`,
    description: sentences.join('\n'),
    color,
  };
}

/** @param name of the project; null: it cannot be read @param pageUrl of its public page; null: there is none */
export function whoseBotEmbed(language: Language, name: string | null, pageUrl: string | null): APIEmbed {
  if (name === null) return { description: language.t('failure.elsewhere'), color: colours.unknown };
  const owner = pageUrl === null ? `**${escaped(name)}**` : `**[${escaped(name)}](${pageUrl})**`;
  return { description: language.t('failure.elsewhereNamed', { owner }), color: colours.unknown };
}

/** Nobody has this identifier. */
export function unknownPlayerEmbed(language: Language, { kind, value }: Identifier): APIEmbed {
  return failureEmbed(language, 'notFoundTitle', [
    language.t('failure.unknownPlayer', {
      kind: language.t(`identifier.${kind}`),
      identifier: code(value),
    }),
    language.t('failure.unknownPlayerNext'),
  ]);
}

/** What the failed request was about, for the text. */
interface FailureSubject {
  /** The server's name as the service returns it. */
  server?: string;
  /** Epoch milliseconds. */
  now: number;
}

/** The embed for any error of the client or the bot. */
export function errorEmbed(language: Language, error: unknown, subject: FailureSubject): APIEmbed {
  if (error instanceof ServiceError) return serviceErrorEmbed(language, error, subject);
  if (error instanceof ServiceUnreachableError || isStoreAway(error)) {
    return failureEmbed(language, 'waitTitle', [language.t('failure.unreachable')]);
  }
  return failureEmbed(language, 'title', [language.t('failure.internal')]);
}

const away: ErrorCode = 'service_unavailable';

/** Data that the bot reads beside the service comes from the same store, whose errors have the code that the service answers. */
function isStoreAway(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === away;
}

type Failure = readonly [FailureTitle, sentence: string];

/** What each error of the service means to a member. */
function serviceErrorEmbed(language: Language, { body, code: error }: ServiceError, about: FailureSubject) {
  const { t } = language;
  const server = escaped(about.server ?? '') || t('failure.thisServer');
  const unreadable: Failure = ['inputTitle', t('failure.invalid_parameters')];
  const noAccess: Failure = ['unavailableTitle', t('failure.token')];
  const unreachable: Failure = ['waitTitle', t('failure.unreachable')];
  const { requiredScope: scope, requiredPlan: plan, retryAfter = 30, requestId } = body;
  const failures: Record<ErrorCode, Failure> = {
    invalid_parameters: unreadable,
    method_not_allowed: unreadable,
    payload_too_large: unreadable,
    unsupported_media_type: unreadable,
    headers_too_large: unreadable,
    token_missing: noAccess,
    token_invalid: noAccess,
    invalid_credentials: noAccess,
    user_agent_mismatch: noAccess,
    request_timeout: unreachable,
    service_unavailable: unreachable,
    insufficient_scope: [
      'unavailableTitle',
      scope === undefined ? t('failure.accessAny') : t('failure.access', { scope: code(scope) }),
    ],
    subscription_required: [
      'unavailableTitle',
      plan === undefined
        ? t('failure.subscription_requiredAny')
        : t('failure.subscription_required', { plan }),
    ],
    not_found: ['notFoundTitle', t('failure.not_found')],
    data_source_not_configured: ['unavailableTitle', t('failure.data_source_not_configured', { server })],
    project_suspended: ['unavailableTitle', t('failure.project_suspended')],
    rate_limited: ['waitTitle', t('failure.rate_limited', { when: relative(about.now + retryAfter * 1000) })],
    internal_error: ['title', t('failure.internal_error', { requestId: code(requestId) })],
    live_source_unavailable: ['waitTitle', t('failure.live_source_unavailable', { server })],
  };
  const [title, sentence] = failures[error];
  return failureEmbed(language, title, [sentence]);
}

/** A game server does not respond. @param server its name as the service returns it */
export function unansweredEmbed(language: Language, server: string): APIEmbed {
  const name = escaped(server) || language.t('failure.thisServer');
  return failureEmbed(language, 'waitTitle', [
    language.t('failure.live_source_unavailable', { server: name }),
  ]);
}

/** Characters; a description holds 4096. */
const longestList = 3_500;

/** One of several players with a matching name. */
interface NamesakeView {
  name: string;
  /** Distinguishes this player from the others. */
  hint: string;
  /** RFC 3339; null: unknown. */
  lastSeenAt: string | null;
}

/**
 * Asks which of several players is meant, above a menu of them.
 * @param hidden the number of players that are not listed
 */
export function whichPlayerEmbed(
  language: Language,
  asked: string,
  namesakes: readonly NamesakeView[],
  hidden: number,
): APIEmbed {
  const players = namesakes.map(({ name, hint, lastSeenAt }) =>
    facts(
      `**${playerName(language, name)}**`,
      hint,
      lastSeenAt && language.t('player.lastSeen', { when: relative(lastSeenAt) }),
    ),
  );
  return failureEmbed(language, 'inputTitle', [
    language.t('failure.ambiguousPlayer', { player: playerName(language, asked) }),
    '',
    linesWithin(language, players, longestList, hidden),
  ]);
}
