import type { APIEmbed } from 'discord-api-types/v10';
import { ServiceError, ServiceUnreachableError } from '../api/client-types.ts';
import type { ErrorCode } from '../api/errors.ts';
import type { Identifier } from '../api/identifiers.ts';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { code, escaped } from './text.ts';
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

function serviceErrorEmbed(language: Language, error: ServiceError, subject: FailureSubject): APIEmbed {
  const { body, code: errorCode } = error;
  const server = escaped(subject.server ?? '') || language.t('failure.thisServer');
  switch (errorCode) {
    case 'invalid_parameters':
    case 'method_not_allowed':
    case 'payload_too_large':
    case 'unsupported_media_type':
    case 'headers_too_large':
      return failureEmbed(language, 'inputTitle', [language.t('failure.invalid_parameters')]);
    case 'token_missing':
    case 'token_invalid':
    case 'invalid_credentials':
    case 'user_agent_mismatch':
      return failureEmbed(language, 'unavailableTitle', [language.t('failure.token')]);
    case 'request_timeout':
    case 'service_unavailable':
      return failureEmbed(language, 'waitTitle', [language.t('failure.unreachable')]);
    case 'insufficient_scope':
      return failureEmbed(language, 'unavailableTitle', [
        body.requiredScope === undefined
          ? language.t('failure.accessAny')
          : language.t('failure.access', { scope: code(body.requiredScope) }),
      ]);
    case 'subscription_required':
      return failureEmbed(language, 'unavailableTitle', [
        body.requiredPlan === undefined
          ? language.t('failure.subscription_requiredAny')
          : language.t('failure.subscription_required', { plan: body.requiredPlan }),
      ]);
    case 'not_found':
      return failureEmbed(language, 'notFoundTitle', [language.t('failure.not_found')]);
    case 'data_source_not_configured':
      return failureEmbed(language, 'unavailableTitle', [
        language.t('failure.data_source_not_configured', { server }),
      ]);
    case 'project_suspended':
      return failureEmbed(language, 'unavailableTitle', [language.t('failure.project_suspended')]);
    case 'rate_limited': {
      const retryAt = subject.now + (body.retryAfter ?? 30) * 1000;
      return failureEmbed(language, 'waitTitle', [
        language.t('failure.rate_limited', { when: relative(retryAt) }),
      ]);
    }
    case 'internal_error':
      return failureEmbed(language, 'title', [
        language.t('failure.internal_error', { requestId: code(body.requestId) }),
      ]);
    case 'live_source_unavailable':
      return unansweredEmbed(language, subject.server ?? '');
  }
}

/** A game server does not respond. `server` is its name as the service returns it. */
export function unansweredEmbed(language: Language, server: string): APIEmbed {
  const name = escaped(server) || language.t('failure.thisServer');
  return failureEmbed(language, 'waitTitle', [
    language.t('failure.live_source_unavailable', { server: name }),
  ]);
}

/** Instead of the card of a player who was hidden or forgotten. */
export function goneCardEmbed(language: Language): APIEmbed {
  return failureEmbed(language, 'unavailableTitle', [language.t('card.gone')]);
}
