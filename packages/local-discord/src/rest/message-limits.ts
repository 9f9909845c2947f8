import type { State } from '../state/state.ts';

interface Window {
  count: number;
  windowMs: number;
}

/** How often messages may be sent and changed, and roles given and taken. */
export interface MessageLimits {
  /** For each method in each channel, as Discord's buckets by route. */
  perChannel: Window;
  /** Roles of members, for each method in each guild; default: no limit. */
  memberRoles?: Window;
  /** Edits of the messages of a channel that are older than an hour: error 30046. */
  oldEdits?: Window;
}

/** Headers that clients go by, and why the request is refused, if it is. */
export interface LimitVerdict {
  headers: Record<string, string>;
  refusal: { message: string; code: number; retry_after: number; global: false } | null;
}

const hourMs = 3_600_000;

/** Counts requests as Discord does (Discord: Rate Limits); null for those that nothing limits. */
export function createMessageLimits(
  state: State,
  limits: MessageLimits | undefined,
): (method: string, path: string) => LimitVerdict | null {
  const taken = new Map<string, number[]>();

  /** How many are left after this one, -1 when there was none; and the milliseconds until the oldest one no longer counts. */
  function take(key: string, { count, windowMs }: Window): { left: number; resetMs: number } {
    const now = state.now();
    const times = (taken.get(key) ?? []).filter((time) => time > now - windowMs);
    taken.set(key, times);
    const left = count - times.length - 1;
    if (left >= 0) times.push(now);
    return { left, resetMs: (times[0] ?? now) + windowMs - now };
  }

  const refuse = (resetMs: number, code: number, message: string): LimitVerdict['refusal'] => ({
    message,
    code,
    retry_after: resetMs / 1000,
    global: false,
  });

  function refusalOfOld(channelId: string, messageId: string | undefined): LimitVerdict['refusal'] {
    const message = state.channels.get(channelId)?.messages.get(messageId ?? '');
    if (!limits?.oldEdits || !message || state.now() - message.createdAt < hourMs) return null;
    const { left, resetMs } = take(`old ${channelId}`, limits.oldEdits);
    const text = 'Maximum number of edits to messages older than 1 hour reached. Try again later';
    return left < 0 ? refuse(resetMs, 30046, text) : null;
  }

  return (method, path) => {
    if (!limits || method === 'GET') return null;
    const [, guildId] = /^\/guilds\/(\d+)\/members\/\d+\/roles\/\d+$/.exec(path) ?? [];
    const [, channelId, messageId] = /^\/channels\/(\d+)\/messages(?:\/(\d+))?$/.exec(path) ?? [];
    const of = guildId === undefined ? 'messages' : 'roles';
    const window = guildId === undefined ? limits.perChannel : limits.memberRoles;
    const resource = guildId ?? channelId;
    if (window === undefined || resource === undefined) return null;
    const { left, resetMs } = take(`${of} ${method} ${resource}`, window);
    const headers = {
      'x-ratelimit-bucket': `${of}-${method.toLowerCase()}`,
      'x-ratelimit-limit': String(window.count),
      'x-ratelimit-remaining': String(Math.max(0, left)),
      'x-ratelimit-reset': String((state.now() + resetMs) / 1000),
      'x-ratelimit-reset-after': String(resetMs / 1000),
    };
    if (left < 0) return { headers, refusal: refuse(resetMs, 0, 'You are being rate limited.') };
    const isEdit = channelId !== undefined && method === 'PATCH';
    return { headers, refusal: isEdit ? refusalOfOld(channelId, messageId) : null };
  };
}
